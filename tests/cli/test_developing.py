"""`make dev`: the page from its sources beside a server of its own, and neither is left behind."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COLOURED = re.compile(r"\x1b\[[\d;]*m")


def is_open(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def wait_for(ports: dict[str, int], wanted: list[bool]) -> bool:
    """Whether each comes to be open, or closed, within a while."""
    until = time.monotonic() + 20
    while [is_open(port) for port in ports.values()] != wanted and time.monotonic() < until:
        time.sleep(0.1)
    return [is_open(port) for port in ports.values()] == wanted


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_page_from_its_sources_talks_to_a_server_of_its_own_and_both_end(number: signal.Signals) -> None:
    """Also where only this command hears that it shall end, as by `kill` or in a container."""
    hearing = (
        "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "runpy.run_path('hatch_build.py', run_name='__main__')"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hearing, "--dev"],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as running:
        assert running.stdout is not None
        waited = threading.Timer(120, os.killpg, (running.pid, signal.SIGKILL))
        waited.start()
        ports: dict[str, int] = {}
        try:
            for line in running.stdout:
                found = re.search(r"(is at|Local:) +http://localhost:(\d+)", COLOURED.sub("", line))
                ports |= {found[1]: int(found[2])} if found else {}
                if len(ports) == 2:
                    break
            assert wait_for(ports, [True, True])
            page = f"http://localhost:{ports['Local:']}"
            assert 'src="/src/main.ts"' in urllib.request.urlopen(f"{page}/").read().decode()
            assert urllib.request.urlopen(f"{page}/api/games").status == 200
            os.kill(running.pid, number)
            running.wait(30)
            assert wait_for(ports, [False, False])
        finally:
            waited.cancel()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
