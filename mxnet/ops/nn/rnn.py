"""The fused RNN operator."""
