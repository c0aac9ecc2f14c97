"""The judge as one file that runs anywhere Python does: `python -m judge.pack > judge.pyz`."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile, ZipInfo

ROOT = Path(__file__).parent.parent
PATTERNS = ("LICENSE", "engine/*.py", "judge/*.py", "judge/manual.md")
# Each file has the same date, and none is compressed (zlib's output differs between versions), so
# that the same files make the same bytes everywhere.
DATE = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip file can hold
UNIX = 3  # the number of this system in a zip file
READABLE = 0o100644 << 16  # a regular file that all may read and its owner write
# This file must also run on a Python that is too old for the others.
MAIN = """\
import sys

if sys.version_info < (3, 11):
    sys.exit("This needs Python 3.11 or newer; this is %d.%d." % sys.version_info[:2])

from judge.__main__ import run

run(sys.argv[1:])
"""


def pyz_bytes() -> bytes:
    """Return the content of judge.pyz, as `zipapp` makes it, but with fixed dates."""
    paths = sorted(
        path for pattern in PATTERNS for path in ROOT.glob(pattern) if path != Path(__file__)
    )
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in paths}
    buffer = BytesIO()
    buffer.write(b"#!/usr/bin/env python3\n")
    with ZipFile(buffer, "w") as archive:
        for name, content in {"__main__.py": MAIN.encode(), **files}.items():
            entry = ZipInfo(name, DATE)
            entry.create_system, entry.external_attr = UNIX, READABLE
            archive.writestr(entry, content, ZIP_STORED)
    return buffer.getvalue()


if __name__ == "__main__":
    sys.stdout.buffer.write(pyz_bytes())
