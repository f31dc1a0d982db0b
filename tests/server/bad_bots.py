"""Bots that no table should have: they fail, stall, die, or lie."""

from __future__ import annotations

import os
import time
from typing import Any


class Broken:
    def choose(self, knowledge: Any, *, seed: int) -> None:
        raise ZeroDivisionError("no idea")


class Stuck:
    def choose(self, knowledge: Any, *, seed: int) -> None:
        time.sleep(60)


class Dying:
    def choose(self, knowledge: Any, *, seed: int) -> None:
        print("I cannot go on")
        os._exit(3)


class Liar:
    def choose(self, knowledge: Any, *, seed: int) -> Any:
        return 9999


def make_broken(game: Any, name: str) -> Any:
    return Broken()


def make_stuck(game: Any, name: str) -> Any:
    return Stuck()


def make_dying(game: Any, name: str) -> Any:
    return Dying()


def make_liar(game: Any, name: str) -> Any:
    return Liar()
