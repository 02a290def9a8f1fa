"""Graphs: nodes, files, shape inference, passes, and the programs they lower to."""
