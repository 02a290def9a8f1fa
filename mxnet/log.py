"""Loggers that write in colors: level, time, process and place, then the message."""

from __future__ import annotations

import logging
import warnings
from logging import CRITICAL, DEBUG, ERROR, INFO, NOTSET, WARNING

__all__ = ["CRITICAL", "DEBUG", "ERROR", "INFO", "NOTSET", "WARNING", "getLogger", "get_logger"]

_LETTERS = {CRITICAL: "C", ERROR: "E", WARNING: "W", INFO: "I", DEBUG: "D"}


class _Formatter(logging.Formatter):
    """Red from warnings on, green for information, blue below."""

    def __init__(self) -> None:
        super().__init__(datefmt="%m%d %H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:
        color = 31 if record.levelno >= WARNING else 32 if record.levelno >= INFO else 34
        letter = _LETTERS.get(record.levelno, "U")
        when = self.formatTime(record, self.datefmt)
        place = f"{record.process} {record.pathname}:{record.funcName}:{record.lineno}"
        return f"\x1b[{color}m{letter}{when} {place}]\x1b[0m {record.message}"


def get_logger(
    name: str | None = None, filename: str | None = None, filemode: str | None = None, level: int = WARNING
) -> logging.Logger:
    """A logger by name, set up on first use: to stderr in colors, or to a file. Without a name, the root logger."""
    logger = logging.getLogger(name)
    if name is not None and not getattr(logger, "_init_done", False):
        logger._init_done = True  # type: ignore[attr-defined]
        if filename:
            handler: logging.Handler = logging.FileHandler(filename, filemode or "a")
        else:
            handler = logging.StreamHandler()
            handler.setFormatter(_Formatter())
        logger.addHandler(handler)
        logger.setLevel(level)
    return logger


def getLogger(
    name: str | None = None, filename: str | None = None, filemode: str | None = None, level: int = WARNING
) -> logging.Logger:
    """The old name of ``get_logger``."""
    warnings.warn("getLogger is deprecated, Use get_logger instead.", DeprecationWarning, stacklevel=2)
    return get_logger(name, filename, filemode, level)
