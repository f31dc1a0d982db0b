"""Hazel for PettingZoo: `env()` with the usual wrappers, `raw_env()` without.

Arguments: `seats`, `options`, `components`, `render_mode`.
"""

from __future__ import annotations

from typing import Any

from .aec import named, wrapped

__all__ = ["env", "raw_env"]

raw_env = named("hazel")


def env(**arguments: Any) -> Any:
    """The environment with PettingZoo's usual wrappers."""
    return wrapped(raw_env(**arguments))
