"""What monitors and op hooks get: names of values, forward and backward, and when they are computed."""
