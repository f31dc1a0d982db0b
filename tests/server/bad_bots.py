"""Bots that no table should have: they fail, stall, die, or lie."""

from __future__ import annotations

import os
import time


class Broken:
    def choose(self, knowledge, *, seed):
        raise ZeroDivisionError("no idea")


class Stuck:
    def choose(self, knowledge, *, seed):
        time.sleep(60)


class Dying:
    def choose(self, knowledge, *, seed):
        print("I cannot go on")
        os._exit(3)


class Liar:
    def choose(self, knowledge, *, seed):
        return 9999


def make_broken(game, name):
    return Broken()


def make_stuck(game, name):
    return Stuck()


def make_dying(game, name):
    return Dying()


def make_liar(game, name):
    return Liar()
