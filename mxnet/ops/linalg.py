"""Linear algebra: dot, batch_dot and the linalg family."""
