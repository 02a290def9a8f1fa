"""Random numbers whose parameters are arrays (sample_normal), multinomial and shuffle."""
