"""Where compiled rules are kept: one place for all processes and virtual environments of a user, wherever the source stands."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import platform
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

try:
    import fcntl
except ImportError:  # Windows: two processes may compile the same side by side
    fcntl = None  # type: ignore[assignment]


class SharedLocator:
    """Tells Numba where the compiled code of a rule lies.

    Numba's own locators name a folder by the source's path and look at the file's date. Ours is named by what the source says.
    """

    def __init__(self, fn: Callable[..., Any]) -> None:
        code = fn.__code__
        # Numba's index does not tell a rule with a way in from Python from one without.
        way = ("inner" if getattr(fn, "inner", False) else "entry") + getattr(fn, "guests", "")
        self._path = cache_folder(Path(code.co_filename)) / way / fn.__module__
        self._line = code.co_firstlineno

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> SharedLocator:
        """The locator for a function."""
        locator = cls(py_func)
        locator.ensure_cache_path()
        return locator

    def ensure_cache_path(self) -> None:
        """Make the folder."""
        self._path.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        """The folder."""
        return str(self._path)

    def get_source_stamp(self) -> str:
        """What tells an old source from a new one: nothing, since the folder does."""
        return ""

    def get_disambiguator(self) -> str:
        """What tells functions of one name apart."""
        return str(self._line)


_here = threading.local()


@contextlib.contextmanager
def compiling_alone(about: str) -> Iterator[None]:
    """Inside, no other process compiles rules of the same game: it waits, and then finds them instead of having done the same work.

    What is compiled while something is compiled takes no lock again.
    """
    if fcntl is None or getattr(_here, "compiles", False):
        yield
        return
    folder = cache_folder(PACKAGE / "bots" / "__init__.py")  # other sources have other locks: nothing of theirs would be found
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"compiling-{about}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _here.compiles = True
        try:
            yield
        finally:
            _here.compiles = False
            fcntl.flock(lock, fcntl.LOCK_UN)  # closing is not enough where somebody was forked meanwhile


_asked_to_stop: list[int] = []  # Ctrl+C, pressed while a rule was being compiled


@contextlib.contextmanager
def stopping_between_rules() -> Iterator[None]:
    """Inside, Ctrl+C waits for the next rule to begin or for the end.

    LLVM calls Python back while it compiles, and Python loses an exception that is raised there, together with half a rule.
    """
    here = threading.current_thread() is threading.main_thread()
    if here and _asked_to_stop:
        raise KeyboardInterrupt
    before = signal.getsignal(signal.SIGINT)
    if not here or before is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, lambda number, _frame: _asked_to_stop.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        asked = bool(_asked_to_stop)
        _asked_to_stop.clear()
    if asked:
        raise KeyboardInterrupt


PACKAGE = Path(__file__).parents[1]


def guest_digest(rules: Sequence[Callable[..., Any]]) -> str:
    """What tells rules from outside this package from one another, and from themselves before an edit; empty if there are none.

    One source may hold several rules, and a rule may read values from elsewhere, which are compiled into it.
    """
    digest = hashlib.blake2b(digest_size=8)
    guests = [fn for fn in rules if not Path(fn.__code__.co_filename).is_relative_to(PACKAGE)]
    for fn in guests:
        code = fn.__code__
        digest.update(f"{fn.__module__} {fn.__qualname__} {code.co_firstlineno}\0".encode())
        # What was typed into a session has no file.
        digest.update(_source(code.co_filename) or code.co_code + repr(code.co_consts).encode())
        enclosed = dict(zip(code.co_freevars, (cell.cell_contents for cell in fn.__closure__ or ()), strict=True))
        read = {name: fn.__globals__[name] for name in code.co_names if name in fn.__globals__}
        for name, value in (*sorted(read.items()), *sorted(enclosed.items()), ("defaults", fn.__defaults__)):
            digest.update(name.encode() + b"=" + _frozen(value) + b"\0")
    return digest.hexdigest() if guests else ""


def _source(path: str | None) -> bytes:
    return Path(path).read_bytes() if path and Path(path).is_file() else b""


def _frozen(value: Any) -> bytes:
    """What Numba makes a constant of, as bytes: a number, a tuple, an array; of a module, its source; of a function, where it stands."""
    if isinstance(value, ModuleType):
        return value.__name__.encode() + _source(getattr(value, "__file__", None))
    if hasattr(value, "tobytes"):
        return f"{value.dtype} {value.shape} ".encode() + bytes(value.tobytes())
    if isinstance(value, int | float | complex | str | bytes | tuple | None):
        return repr(value).encode()
    code = getattr(getattr(value, "py_func", value), "__code__", None)
    return f"{type(value).__name__} {getattr(value, '__qualname__', '')} ".encode() + (_source(code.co_filename) if code else b"")


def cache_folder(source: Path) -> Path:
    """Where compiled code of `source` is kept.

    Numba notices edits in the compiled file alone, and neither callees nor its own flags. So the folder is named by a hash of all rules,
    of the room that `source` stands in, of the bots (environments compile them in), and of everything else that changes the outcome.
    """
    return _cache_folder(source.parent)


@functools.cache
def _cache_folder(room: Path) -> Path:
    import numba

    digest = hashlib.blake2b(digest_size=12)
    rules = Path(__file__).parent
    bots = set() if room.is_relative_to(rules) else set((rules.parent / "bots").rglob("*.py"))
    own = set(room.rglob("*.py")) if room.is_relative_to(PACKAGE) else set()  # a guest's folder may hold anything
    for path in sorted({*rules.rglob("*.py"), *bots, *own}):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    flags = sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_") and k != "NUMBA_CACHE_DIR")
    about = [numba.__version__, sys.version, platform.machine(), _cpu(), *flags]
    digest.update("\n".join(about).encode())
    return _writable_home() / digest.hexdigest()


def _cpu() -> str:
    import llvmlite.binding as llvm

    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


@functools.cache
def _writable_home() -> Path:
    """The first folder that can be written: ours by request, the user's cache, a temporary one."""
    asked = os.environ.get("DRUNEMETON_CACHE")
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    for candidate in ([Path(asked)] if asked else []) + [Path(home).expanduser() / "drunemeton"]:
        try:
            candidate.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=candidate):
                return candidate
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="drunemeton-"))
