"""Games side by side on a Ray cluster, through the same door as processes of one machine: what is played depends on the deals alone.

Each worker is an actor that is prepared once; one that dies, or whose machine does, is started anew and plays its deal again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

from ..rules.errors import GameError

HERE = "ray"  # a Ray of one's own on this machine, or the one that `RAY_ADDRESS` names; else ray://HOST:PORT


def connect(where: str) -> Any:
    """Ray, connected to a cluster."""
    try:
        import ray
    except ImportError:
        raise GameError("playing on Ray needs it: pip install 'drunemeton[ray]'") from None
    if not ray.is_initialized():
        try:
            ray.init(None if where == HERE else where, logging_level=logging.WARNING, log_to_driver=False, include_dashboard=False)
        except (ConnectionError, ValueError, RuntimeError) as problem:
            raise GameError(f"no Ray cluster answers at {where}: {problem}") from None
    return ray


def processors(where: str) -> int:
    """How many processors the cluster has."""
    return max(1, int(connect(where).cluster_resources().get("CPU", 1)))


class _Worker:
    """What plays, in a process of Ray's; `prepare` is run anew whenever it is started."""

    def __init__(self, prepare: Callable[..., None] | None, args: tuple[Any, ...]) -> None:
        if prepare:
            prepare(*args)

    def run(self, work: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        return work(*args)


class RayPool(Executor):
    """So many workers on a cluster; a piece of work goes to whichever has the least to do."""

    def __init__(self, where: str, count: int, prepare: Callable[..., None] | None, args: tuple[Any, ...]) -> None:
        self._ray = connect(where)
        made = self._ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1)(_Worker)
        self._workers = [made.remote(prepare, args) for _ in range(count)]
        self._load = [0] * count

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """A piece of work."""
        assert not kwargs, "work is named by its place"
        chosen = min(range(len(self._workers)), key=self._load.__getitem__)
        self._load[chosen] += 1
        waiting = self._workers[chosen].run.remote(fn, args)
        future: Future[Any] = waiting.future()
        future.add_done_callback(lambda _: self._done(chosen))
        return future

    def _done(self, chosen: int) -> None:
        self._load[chosen] -= 1

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the workers go."""
        workers, self._workers = self._workers, []
        for worker in workers:
            self._ray.kill(worker)
