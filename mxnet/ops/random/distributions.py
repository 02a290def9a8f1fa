"""Random numbers whose parameters are attributes (random_normal) and their _like forms."""
