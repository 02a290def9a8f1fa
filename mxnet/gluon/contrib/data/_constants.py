"""Tokens with a meaning of their own."""

EOS_TOKEN = "<eos>"
