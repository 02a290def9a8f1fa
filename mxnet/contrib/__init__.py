"""Parts beside the core: what the original kept under ``mx.contrib``."""
