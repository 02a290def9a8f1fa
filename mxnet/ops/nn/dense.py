"""FullyConnected."""
