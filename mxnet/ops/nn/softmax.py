"""softmax, its logarithm and its minimum form."""
