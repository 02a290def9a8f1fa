"""Contributed operators."""

from . import attention, boxes, misc, roi

__all__ = ["attention", "boxes", "misc", "roi"]
