"""Rewrites of graphs: each takes the outputs of one and gives those of another. Nodes are never changed."""
