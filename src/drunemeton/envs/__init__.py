"""The games for researchers: PettingZoo, OpenSpiel, Gymnasium.

>>> from drunemeton.envs import druidenwalzer_v0
>>> env = druidenwalzer_v0.env()

Nothing is imported before it is asked for. The frameworks come with `pip install drunemeton[envs]`.
"""

from __future__ import annotations

import importlib
from types import ModuleType

from ..rules.errors import GameError


class MissingFramework(GameError, ImportError):
    """A framework is not installed."""


def need(module: str, package: str) -> ModuleType:
    """A framework's module, or an error that says how to get it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as problem:
        if problem.name is not None and not module.startswith(problem.name):
            raise
        raise MissingFramework(f"{package} is not installed; `pip install drunemeton[envs]` brings it") from problem
