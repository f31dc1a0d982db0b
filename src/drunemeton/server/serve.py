"""Starting a server from the command line."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import gc
import os
import socket
import sqlite3
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn

from ..store import SqliteStore, Store, StoreError, told
from ..store import backup as copy_store
from ..store.sqlite import is_safe
from .app import create_app
from .http_protocol import HttpProtocol
from .logs import log_to_stderr
from .settings import Settings, default_store, own_addresses
from .websocket_protocol import WebSocketProtocol

BACKLOG = 512
DATABASES = ("postgresql://", "postgres://")
SPARE_FILES = 64

SWITCH = 0.001  # seconds; Python's 5 ms make the store's thread wait five times as long for its turn beside a busy event loop
OLD_SQLITE = (
    f"warning: Python's SQLite is {sqlite3.sqlite_version}. Before 3.51.3 (or 3.50.7, or 3.44.6) a rare fault may damage a store that is "
    "written and read at once; take copies with `drunemeton backup`, or run a Python with a newer SQLite (docs/hosting.md)."
)
# Tables hold few cycles and many objects: with Python's own thresholds a fifth of the time goes into looking at them over and over.
# Everybody waits meanwhile (half a second for a million objects), so new ones are looked at in small lots, and the old ones hardly ever.
GARBAGE = (5_000, 5, 1_000)


def config_for(settings: Settings, app: Any = None) -> uvicorn.Config:
    """How uvicorn runs our application."""
    sys.setswitchinterval(SWITCH)
    burst = 4.0 * settings.messages_burst
    websocket = type("OurWebSocket", (WebSocketProtocol,), {"frames_per_second": 3 * settings.messages_per_second, "frames_burst": burst})
    http = type("OurHttp", (HttpProtocol,), {"most": settings.open_files})
    gc.set_threshold(*GARBAGE)
    return uvicorn.Config(
        app or create_app(settings),
        host=settings.host,
        port=settings.port,
        http=http,
        ws=websocket,
        ws_max_size=settings.message_bytes * 4,  # in bytes; a message is counted in characters
        ws_max_queue=16,
        ws_per_message_deflate=False,  # views are small, and compressing each costs more than sending it
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        log_level="warning",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
        limit_concurrency=settings.connections_total + 500,
        h11_max_incomplete_event_size=32 * 1024,
        backlog=BACKLOG,
        lifespan="on",
    )


def allow_files(wanted: int) -> int:
    """Let this process open so many files, or as many as it may; answers how many of them connections may take.

    The rest is for the store, its writer and the bots: they must be able to come back however many are connected.
    """
    try:
        import resource
    except ImportError:
        return wanted  # Windows has no such limit
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted + SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < most:
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        return max(16, min(wanted, soft - SPARE_FILES))
    return wanted


class Hosting(NamedTuple):
    """What matters to who hosts for others."""

    public_url: str | None = None
    address: str | None = None  # where the other servers on the same database reach this one
    metrics: bool = False


def serve(
    host: str = "127.0.0.1",
    port: int = 8137,
    hosting: Hosting | None = None,
    store: str | Path | None = None,
    open_browser: bool = True,
    record: Path | None = None,
    page: str = "",
) -> int:
    """Serve until interrupted, with the lobby first, a record to be looked at, or another page; answers the exit status."""
    where = str(store or os.environ.get("DRUNEMETON_STORE") or default_store())
    hosting = hosting or Hosting()
    public_url = hosting.public_url
    settings = Settings(host=host, port=port, public_url=public_url, store_path=Path(where), record=record, metrics=hosting.metrics)
    try:
        listening = _listen(host, port)
    except OSError as problem:
        print(f"drunemeton: cannot listen on {host}:{port}: {problem.strerror}", file=sys.stderr)
        return 1
    settings = dataclasses.replace(settings, port=listening.getsockname()[1], open_files=allow_files(settings.open_files))
    try:
        opened = open_store(where, hosting.address or f"{_reachable(host)}:{settings.port}")
    except (StoreError, OSError, sqlite3.Error) as problem:
        listening.close()
        print(f"drunemeton: {told(problem)}", file=sys.stderr)
        return 1
    log_to_stderr(getattr(opened, "process", str(os.getpid())))  # by the name that owns tables, where several servers do
    if not where.startswith(DATABASES) and not is_safe():
        print(f"drunemeton: {OLD_SQLITE}", file=sys.stderr)
    shown = public_url or f"http://{'localhost' if host in {'127.0.0.1', '0.0.0.0', '::', '::1'} else host}:{settings.port}"
    shown += "/replay/file#0-open" if record is not None else page
    print(f"Drunemeton is at {shown}  (stop it with Ctrl+C)", flush=True)
    config = config_for(settings, create_app(settings, opened))
    server = uvicorn.Server(config)
    if open_browser:
        threading.Timer(0.8, lambda: webbrowser.open(shown)).start()
    # As uvicorn itself would: on uvloop where it is installed.
    runner = asyncio.Runner(loop_factory=server.config.get_loop_factory())
    with contextlib.closing(listening), contextlib.suppress(KeyboardInterrupt), runner:
        runner.run(server.serve(sockets=[listening]))
    return 0 if server.started else 1


def open_store(where: str, address: str) -> Store:
    """A file, or a database that several servers share; `address` is where the others reach this one."""
    if not where.startswith(DATABASES):
        return SqliteStore(Path(where))
    from ..store.postgres import PostgresStore

    return PostgresStore(where, address)


def _reachable(host: str) -> str:
    """Where others find a server that listens there: if on every address, by this machine's first one."""
    if host in {"0.0.0.0", "::", ""}:
        return next(iter(own_addresses()), "127.0.0.1")
    return f"[{host}]" if ":" in host else host


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError:
        listening.close()
        raise
    return listening


def backup(store_path: Path | None, target: Path) -> int:
    """Copy a store, also while a server runs on it; answers the exit status."""
    try:
        copy_store(store_path or default_store(), target)
    except (StoreError, OSError, sqlite3.Error) as problem:
        print(f"drunemeton: {told(problem)}", file=sys.stderr)
        return 1
    print(f"copied to {target}")
    return 0
