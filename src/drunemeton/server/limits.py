"""How much one client may do: buckets that fill with time."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

REMEMBERED = 10_000
NETWORK_BITS = 64  # of an IPv6 address: who has one has all with the same first half


def network_of(host: str) -> str:
    """Whom a limit counts: an IPv4 address, or the network in which one household has as many IPv6 addresses as it likes."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, NETWORK_BITS), strict=False))


def client_of(scope: Mapping[str, Any]) -> str:
    """Whom a request or a WebSocket counts for."""
    client = scope.get("client")
    return network_of(client[0]) if client else "?"


class Bucket:
    """So many at once, refilled at a rate."""

    __slots__ = ("burst", "filled", "left", "rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self.rate, self.burst = rate, burst
        self.left, self.filled = float(burst), now

    def take(self, now: float, cost: float = 1.0) -> bool:
        """Take some out; False if there is not enough."""
        self.left = min(self.burst, self.left + (now - self.filled) * self.rate)
        self.filled = now
        if self.left < cost:
            return False
        self.left -= cost
        return True


class Buckets:
    """A bucket for each client; those not heard of for longest are forgotten first."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.clock = rate, burst, clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, client: str, cost: float = 1.0) -> bool:
        """Take out of a client's bucket; False if there is not enough."""
        now = self.clock()
        bucket = self._buckets.get(client)
        if bucket is None:
            bucket = self._buckets[client] = Bucket(self.rate, self.burst, now)
            if len(self._buckets) > REMEMBERED:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(client)
        return bucket.take(now, cost)
