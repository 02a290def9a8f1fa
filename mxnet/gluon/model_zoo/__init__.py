"""Known networks, by name, with trained weights for those who have them."""

from . import model_store, vision
