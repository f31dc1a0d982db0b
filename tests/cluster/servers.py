"""Server processes on one database, each of which can be killed, paused and started again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from drunemeton.client import ServerError, ask

from ..patience import PATIENCE

SERVE = """
import importlib, sys
room = importlib.import_module("drunemeton.server.serve")
generous = dict(tables_burst=100000, tables_per_hour=1e9, requests_burst=100000, requests_per_second=1e6, messages_burst=100000,
    messages_per_second=1e6, address_messages_per_second=1e6, address_messages_burst=10**6, connections=5000, arrivals_per_second=1e6,
    arrivals_burst=10**6)
made = room.Settings
room.Settings = lambda **given: made(**given, **generous)
{planted}
sys.exit(room.serve(sys.argv[1], int(sys.argv[2]), None, sys.argv[3], False))
"""
# A fault to be found: what is written is neither held against the epoch nor against the number that it should have.
PLANTED = """
from drunemeton.store import postgres
right = postgres.PostgresStore.writer
postgres.PostgresStore.writer = lambda self: right(self)._replace(command=[sys.executable, "-c", WRONG])
"""
WRONG = """
import drunemeton.store.postgres_writer as room
from drunemeton.store.writer import main
last = "(select max(number) from entries where entries.table_id = id) + turn"
for right, wrong in {
    "and held.epoch = given.epoch": "",
    "owner = %(me)s and": "%(me)s <> '' and",
    "select given.* from given": f"select id, {last} as next, entry, touched, over, open_seats from given",
    f"where next = {last}": "",
}.items():
    assert right in room._APPEND
    room._APPEND = room._APPEND.replace(right, wrong)
main()
"""


class ServerProcess:
    """One server."""

    def __init__(self, where: str, address: str, folder: Path, *, within: Sequence[str] = (), planted: bool = False) -> None:
        self.where, self.address, self.within, self.planted = where, address, within, planted
        self.log: IO[bytes] = (folder / f"{address}.log").open("ab")
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; `wait` until it answers."""
        code = SERVE.format(planted=f"WRONG = {WRONG!r}{PLANTED}" if self.planted else "")
        command = [*self.within, sys.executable, "-c", code, *self.address.split(":"), self.where]
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log)

    def wait(self) -> None:
        """Until it answers."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                ask(f"http://{self.address}/api/health")
                return
            except (ServerError, OSError):
                assert self.process is not None
                assert self.process.poll() is None, "the server ended"
                assert time.monotonic() < until
                time.sleep(0.05)

    def send(self, sign: signal.Signals) -> None:
        """Kill, stop or continue it."""
        assert self.process is not None
        os.kill(self.process.pid, sign)
        if sign == signal.SIGKILL:
            self.process.wait()

    def close(self) -> None:
        """End it."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()


def free_ports(count: int) -> list[int]:
    """Ports on which nobody listens."""
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in probes]
    finally:
        for probe in probes:
            probe.close()
