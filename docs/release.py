"""Cuts the changelog for a release, and checks that what names the version agrees.

python docs/release.py 0.3.0       # sets the version, moves "Unreleased" of the changelog to it, with today's date
python docs/release.py --check     # part of `make release` and of the tests
"""

from __future__ import annotations

import argparse
import datetime
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Where the version is written: in each file what stands before it and after it.
PLACES = {
    "mxnet/__init__.py": r'(?m)^(mxnext_version = ")([^"]+)(")',
    "CITATION.cff": r"(?m)^(version: )(\S+)()$",
}
_LATEST = re.compile(r"^## (\d+\.\d+\.\d+) - (\d{4}-\d{2}-\d{2})$", flags=re.M)


def problems(root: Path = ROOT) -> list[str]:
    """What keeps the version from being released."""
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    latest = _LATEST.search(changes)
    if latest is None:
        return ["CHANGELOG.md has no dated version"]
    found = []
    for name, pattern in PLACES.items():
        match = re.search(pattern, (root / name).read_text(encoding="utf-8"))
        if match is None or match[2] != latest[1]:
            found.append(f"{name} has version {match and match[2]}, CHANGELOG.md has {latest[1]}")
    date = re.search(r"(?m)^date-released: (\S+)$", (root / "CITATION.cff").read_text(encoding="utf-8"))
    if date is None or date[1] != latest[2]:
        found.append(f"CITATION.cff has date {date and date[1]}, CHANGELOG.md has {latest[2]}")
    return found


def cut(version: str, date: str, root: Path = ROOT) -> None:
    """Sets the version and gives it the unreleased changes."""
    file = root / "CHANGELOG.md"
    text = file.read_text(encoding="utf-8")
    head, mark, rest = text.partition("## Unreleased\n")
    if not mark or not rest.partition("\n## ")[0].strip():
        raise SystemExit("CHANGELOG.md has nothing below Unreleased")
    file.write_text(f"{head}{mark}\n## {version} - {date}\n{rest}", encoding="utf-8")
    for name, pattern in PLACES.items():
        place = root / name
        place.write_text(re.sub(pattern, rf"\g<1>{version}\g<3>", place.read_text(encoding="utf-8")), encoding="utf-8")
    citation = root / "CITATION.cff"
    text = re.sub(r"(?m)^date-released: .*$", f"date-released: {date}", citation.read_text(encoding="utf-8"))
    citation.write_text(text, encoding="utf-8")


def main() -> int:
    """Runs the command; 1 if the version is not ready."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("version", nargs="?")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.version:
        cut(options.version, datetime.date.today().isoformat())
    found = problems()
    print("\n".join(found) or "version, changelog and citation agree")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
