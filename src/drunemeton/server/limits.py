"""How much one client may do: buckets that fill with time."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

REMEMBERED = 10_000


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
