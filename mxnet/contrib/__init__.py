"""``mx.contrib``: parts beside the core, loaded on first use. ``nd`` and ``sym`` are the contributed operators."""
