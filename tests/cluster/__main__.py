"""`make cluster`: PostgreSQL, three servers and a proxy on this machine, for people who want to try; Ctrl+C ends it all."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ..postgres import PrivatePostgres
from .proxy import Proxy
from .servers import free_ports

SERVERS, PORT = 3, 8137


def main() -> None:
    """Start everything, say where it is, and wait."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    print("PostgreSQL ...", flush=True)
    database = PrivatePostgres(durable=True)
    ports = free_ports(SERVERS)
    servers: list[subprocess.Popen[bytes]] = []
    try:
        with tempfile.TemporaryDirectory() as folder, (Path(folder) / "log").open("ab") as log:
            for port in ports:
                command = [sys.executable, "-m", "drunemeton.cli", "serve", "--no-browser", "--store", database.where, "--port", str(port)]
                servers.append(subprocess.Popen(command, stdout=log, stderr=log))
            proxy = Proxy([f"127.0.0.1:{port}" for port in ports], PORT)
            print(
                f"The cluster is at {proxy.url}  (servers on {', '.join(map(str, ports))}; {database.where}; stop it with Ctrl+C)",
                flush=True,
            )
            print("Kill a server, and see that its tables go on: " + ", ".join(f"kill -9 {server.pid}" for server in servers), flush=True)
            while any(server.poll() is None for server in servers):
                time.sleep(0.5)
            print("no server is left")
    except KeyboardInterrupt:
        print("stopping")
    finally:
        for server in servers:
            server.terminate()
        for server in servers:
            server.wait(30)
        database.close()


if __name__ == "__main__":
    main()
