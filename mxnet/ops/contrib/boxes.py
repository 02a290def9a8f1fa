"""Boxes for detection: IoU, suppression, matching, encoding, SSD's MultiBox operators, proposals."""
