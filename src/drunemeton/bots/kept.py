"""Files in which long work is kept as it goes on: one run at a time writes to one."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from ..rules.errors import GameError

try:
    import fcntl
except ImportError:  # Windows: whoever starts two runs on one file is not told
    fcntl = None  # type: ignore[assignment]


def alone_at(file: IO[Any], path: Path) -> None:
    """Refuse a file that another run is writing to, or that is none; until it is closed, other runs are refused."""
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise GameError(f"{path} is no file that can be gone on with: name an ordinary file")
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise GameError(f"another run is writing to {path}: wait until it has ended, or name another file") from None
        except OSError:
            pass  # a folder on another machine that knows no locks


def whole_lines(file: IO[str]) -> Iterator[str]:
    """The lines of a file from where it stands; what a run was writing when it was killed is taken away."""
    sound = file.tell()
    for line in iter(file.readline, ""):
        if not line.endswith("\n"):
            file.seek(sound)
            file.truncate()
            return
        sound = file.tell()
        yield line


def go_on_with(file: IO[str], path: Path, head: str, otherwise: str) -> None:
    """Begin an empty file with its first line, or stand after that of an older one; of a file that begins otherwise `otherwise` is said."""
    alone_at(file, path)
    file.seek(0)
    first = file.readline()
    if not first:
        print(head, file=file, flush=True)
    elif first.rstrip("\n") != head:
        file.close()
        raise GameError(otherwise)
