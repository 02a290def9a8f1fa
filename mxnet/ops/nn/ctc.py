"""Connectionist temporal classification loss."""
