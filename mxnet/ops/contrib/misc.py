"""The other contributed operators."""
