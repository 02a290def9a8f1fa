"""Image operators: ``mx.nd.image``."""
