"""Loss heads: operators whose gradient is the gradient of a loss."""
