"""Image operators: to_tensor, normalize, resize, crops, flips and colour changes."""
