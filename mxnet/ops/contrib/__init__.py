"""Contributed operators."""

from . import attention, boxes, deformable, misc, multibox, proposal, resize, roi

__all__ = ["attention", "boxes", "deformable", "misc", "multibox", "proposal", "resize", "roi"]
