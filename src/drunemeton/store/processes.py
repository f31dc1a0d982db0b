"""How a process of our own is started: by the same Python with the same packages, and by nothing that lies in the current folder."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

# Isolated, since `python -m` would look for modules in the current folder first: a `dataclasses.py` there would be run.
_START = (
    "import runpy, sys; sys.path[:] = sys.argv.pop(1).split('\\n'); runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)


def command_of(module: str, *arguments: str) -> list[str]:
    """The command that runs a module in a process of its own."""
    return [sys.executable, "-I", "-c", _START, "\n".join(_paths()), module, *arguments]


def _paths() -> list[str]:
    """Where that process looks for modules: as we do, but in Python's own folders first, and last in the current one."""
    own, here = Path(sysconfig.get_path("stdlib")), Path.cwd()
    given = [Path(path) for path in dict.fromkeys(sys.path) if path]
    pythons = [path for path in given if path == own or path == own / "lib-dynload" or path.suffix == ".zip"]
    others = [path for path in given if path not in pythons and path != here]
    return [str(path) for path in (*pythons, *others, *(path for path in given if path == here))]
