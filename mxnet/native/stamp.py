"""The stamp of the kernels' sources. setup.py, which cannot import the package, runs this file by itself."""

from __future__ import annotations

import hashlib
from pathlib import Path


def source_stamp(folder: Path) -> str | None:
    """A short hash of the C sources in a folder, or None if there are none, as in an installed package."""
    sources = sorted([*folder.glob("*.c"), *folder.glob("*.h")])
    found = hashlib.sha256()
    for path in sources:
        found.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n"))
    return found.hexdigest()[:16] if any(path.suffix == ".c" for path in sources) else None
