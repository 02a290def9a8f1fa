"""OpenCV, loaded when it is first used: it takes longer than all of this package."""

from __future__ import annotations

from typing import Any

__all__ = ["cv2"]


class _OpenCV:
    def __getattr__(self, name: str) -> Any:
        import cv2

        value = getattr(cv2, name)
        setattr(self, name, value)  # found at once the next time
        return value


cv2: Any = _OpenCV()
