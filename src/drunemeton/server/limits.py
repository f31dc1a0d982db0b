"""How much one client may do: buckets that fill with time."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar
from weakref import WeakValueDictionary

Result = TypeVar("Result")

REMEMBERED = 10_000
PASSED = "drunemeton.passed"  # in a request's scope: another server of ours has taken it and looked at it (`cluster.py`)
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

    def owe(self, now: float, cost: float) -> float:
        """Take some out, also more than there is; answers in how many seconds that is made up for."""
        if not self.take(now, cost):
            self.left -= cost
        return max(0.0, -self.left / self.rate)


class Buckets:
    """A bucket for each client; those not heard of for longest are forgotten first."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.clock = rate, burst, clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, client: str, cost: float = 1.0) -> bool:
        """Take out of a client's bucket; False if there is not enough."""
        return self._of(client).take(self.clock(), cost)

    def owe(self, client: str, cost: float = 1.0) -> float:
        """Take out of a client's bucket, also more than there is; answers how many seconds he is to wait for that."""
        return self._of(client).owe(self.clock(), cost)

    def _of(self, client: str) -> Bucket:
        bucket = self._buckets.get(client)
        if bucket is None:
            bucket = self._buckets[client] = Bucket(self.rate, self.burst, self.clock())
            if len(self._buckets) > REMEMBERED:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(client)
        return bucket


class Worktime:
    """What one client's messages take of the server: who asks for more than his share waits, and holds up nobody else."""

    def __init__(self, a_second: float, at_once: float) -> None:
        self._buckets = Buckets(a_second, at_once)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def pay(self, client: str, cost: float) -> None:
        """Wait until a client may ask for something that costs so much: a message that costs 1 takes about a millisecond."""
        wait = self._buckets.owe(client, cost)
        if wait > 0:
            await asyncio.sleep(wait)

    def turn(self, client: str) -> asyncio.Lock:
        """One client's long work is done one after the other."""
        lock = self._turns.get(client)
        if lock is None:
            lock = self._turns[client] = asyncio.Lock()
        return lock

    async def in_pieces(self, client: str, pieces: Iterator[object]) -> None:
        """Do something long a little at a time, with others between, at what it takes."""
        async with self.turn(client):
            while True:
                began = time.thread_time()
                done = next(pieces, self) is self
                await self.pay(client, (time.thread_time() - began) * 1000)
                if done:
                    return
                await asyncio.sleep(0)

    async def in_a_thread(self, client: str, work: Callable[[], Result]) -> Result:
        """Do something long that cannot be cut into pieces, at what it takes."""

        def timed() -> tuple[Result, float]:
            began = time.thread_time()
            return work(), time.thread_time() - began

        async with self.turn(client):
            result, took = await asyncio.to_thread(timed)
            await self.pay(client, took * 1000)
        return result
