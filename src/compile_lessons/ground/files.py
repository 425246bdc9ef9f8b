"""Files: written whole or not at all, and when they last changed."""

import os
import shutil
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Write ``data`` to ``path``: a reader finds the old file or the new one, never a part of it.

    A file that is replaced passes its permissions on; a link stays, and the file that it names is replaced. A device or
    a pipe can't be replaced: it is written in place.
    Raises ``OSError``; a file that was there is then unchanged.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = Path(os.path.realpath(path))
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        if path.exists():
            shutil.copymode(path, part)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def modified(path: Path) -> int:
    """Return when a file or folder last changed, in nanoseconds; 0 if it is not there (an editor may replace it)."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0
