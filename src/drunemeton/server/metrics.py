"""Figures for a monitor, as Prometheus reads them: counts and times, never a card, a key or a name. Off unless the host asks for it."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .registry import TableRegistry

BOUNDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)  # seconds


class Timing:
    """How long something took, counted in buckets."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def note(self, seconds: float) -> None:
        """One more."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds


def text_of(registry: TableRegistry) -> str:
    """The figures of a server, as text."""
    seats = sum(connection.seat is not None for connection in registry.connections)
    gauges = {
        "uptime_seconds": ("since this process started", time.monotonic() - registry.began),
        "tables": ("in memory, and so played by this process", len(registry.tables)),
        "connections": ("WebSockets of players and spectators", len(registry.connections)),
        "connections_of_players": ("those that sit at a seat", seats),
        "connections_passed_on": ("to another server of the cluster", len(registry.passed)),
    }
    counters = {
        "changes_failed": ("changes that could not be written", registry.writer.failures),
        "tables_taken_over": ("from servers that no longer answered", registry.taken_over),
        "leases_lapsed": ("how often others had to think this process dead", registry.shared.lapses if registry.shared else 0),
    }
    lines = [line for name, (about, value) in gauges.items() for line in _one(name, about, "gauge", value)]
    lines += [line for name, (about, value) in counters.items() for line in _one(f"{name}_total", about, "counter", value)]
    return "\n".join([*lines, *_timing("change_durable_seconds", "from a change until it is on disk", registry.writer.durable)]) + "\n"


def _one(name: str, about: str, kind: str, value: float) -> Iterator[str]:
    yield f"# HELP drunemeton_{name} {about}"
    yield f"# TYPE drunemeton_{name} {kind}"
    yield f"drunemeton_{name} {value:g}"


def _timing(name: str, about: str, timing: Timing) -> Iterator[str]:
    yield f"# HELP drunemeton_{name} {about}"
    yield f"# TYPE drunemeton_{name} histogram"
    below = 0
    for bound, count in zip((*BOUNDS, float("inf")), timing.counts, strict=True):
        below += count
        yield f'drunemeton_{name}_bucket{{le="{"+Inf" if bound == float("inf") else f"{bound:g}"}"}} {below}'
    yield f"drunemeton_{name}_sum {timing.total:g}"
    yield f"drunemeton_{name}_count {below}"
