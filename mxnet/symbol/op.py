"""Every operator with a public name."""
