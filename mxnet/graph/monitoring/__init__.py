"""What monitors and op hooks are told: names of values, forward and backward, and when they are computed."""
