"""Each server on a wire of its own, in a network namespace, and all wires in one bridge: a wire that is cut loses what is sent, and tells
nobody, as when a cable is drawn. Needs Linux, `ip` and the right to change the network.

The bridge too is in a namespace of its own, which whoever lays the wires enters until they are closed: a browser that is tested at the
same time on this machine hears of every change to its network, and breaks off what it loads.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess

BRIDGE = "02:00:00:00:00:01"  # of its own: else it has that of a wire, and hears that wire also when it is not in it any more


CLONE_NEWNET = 0x40000000
LIBC = ctypes.CDLL(None, use_errno=True)


def _checked(result: int) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _ip(*words: str, check: bool = True) -> bool:
    return subprocess.run(["ip", *words], check=check, capture_output=True).returncode == 0


def allowed() -> bool:
    """Whether there can be wires here."""
    name = f"dr{os.getpid()}t"
    if not shutil.which("ip") or os.geteuid() != 0 or not _ip("netns", "add", name, check=False):
        return False
    return _ip("netns", "del", name, check=False)


class Wires:
    """So many wires; this machine itself is at `hub`."""

    def __init__(self, count: int) -> None:
        self._name = f"dr{os.getpid()}"
        self._outside = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        _checked(LIBC.unshare(CLONE_NEWNET))
        _ip("link", "set", "lo", "up")
        network = f"10.213.{os.getpid() % 250}"
        self.hub, self.hosts = f"{network}.1", [f"{network}.{number + 2}" for number in range(count)]
        _ip("link", "add", self._name, "address", BRIDGE, "type", "bridge")
        _ip("address", "add", f"{self.hub}/24", "dev", self._name)
        _ip("link", "set", self._name, "up")
        for number, host in enumerate(self.hosts):
            space, port = self._space(number), self._port(number)
            _ip("netns", "add", space)
            _ip("link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", space)
            _ip("link", "set", port, "master", self._name, "up")
            for words in (["address", "add", f"{host}/24", "dev", "eth0"], ["link", "set", "eth0", "up"], ["link", "set", "lo", "up"]):
                _ip("-n", space, *words)

    def _space(self, number: int) -> str:
        return f"{self._name}s{number}"

    def _port(self, number: int) -> str:
        return f"{self._name}p{number}"

    def within(self, number: int) -> list[str]:
        """What to put before a command that is to run at the end of that wire."""
        return ["ip", "netns", "exec", self._space(number)]

    def cut(self, number: int) -> None:
        """Nothing gets through any more."""
        _ip("link", "set", self._port(number), "nomaster")

    def heal(self, number: int) -> None:
        """Everything gets through again."""
        _ip("link", "set", self._port(number), "master", self._name)

    def close(self) -> None:
        """Take them away."""
        for number in range(len(self.hosts)):
            _ip("netns", "del", self._space(number), check=False)
        _ip("link", "del", self._name, check=False)
        _checked(LIBC.setns(self._outside, CLONE_NEWNET))
        os.close(self._outside)
