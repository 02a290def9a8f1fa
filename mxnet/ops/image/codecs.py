"""Decoding and resizing of images by OpenCV."""
