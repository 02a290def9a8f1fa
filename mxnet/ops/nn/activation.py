"""Activations: Activation, LeakyReLU and the named ones."""
