"""`make docs`: docs/api.md, the reference of what other programs may use, from signatures and docstrings."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

ROOMS = (
    "drunemeton.rules.game", "drunemeton.rules.chance", "drunemeton.rules.errors", "drunemeton.records", "drunemeton.records.frames",
    "drunemeton.bots", "drunemeton.bots.match", "drunemeton.bots.simulation", "drunemeton.bots.analysis", "drunemeton.table",
    "drunemeton.store", "drunemeton.client",
)  # fmt: skip
TARGET = Path(__file__).parent / "api.md"


def first_sentence(thing: Any) -> str:
    """What a docstring says first."""
    return (inspect.getdoc(thing) or "").split("\n\n")[0].replace("\n", " ")


def signature(thing: Any) -> str:
    """How it is called; nothing where Python cannot tell."""
    try:
        text = re.sub(
            r"<(?:[\w.]+ object|function .*?) at 0x\w+>|<built-in function \w+>",
            "...",
            str(inspect.signature(thing)).replace("drunemeton.", ""),
        )
    except (TypeError, ValueError):
        return ""
    return re.sub(r"ForwardRef\('(.*?)'\)|(?<=[ (\[])'([^']*)'", r"\1\2", text)


def public(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """What a module offers: what it names in `__all__`, or what is made there."""
    named = getattr(module, "__all__", None)
    for name, thing in vars(module).items():
        if inspect.isclass(thing) or inspect.isfunction(thing):
            if name in named if named is not None else thing.__module__ == module.__name__ and not name.startswith("_"):
                yield name, thing


def described(module: ModuleType) -> Iterator[str]:
    """A module's lines."""
    yield f"\n## `{module.__name__}`\n{first_sentence(module)}\n"
    for name, thing in public(module):
        yield f"- **`{name}{signature(thing)}`** {first_sentence(thing)}"
        if inspect.isclass(thing):
            for method, what in vars(thing).items():
                function = getattr(what, "__func__", what.fget if isinstance(what, property) else what)
                if not method.startswith("_") and inspect.isfunction(function) and function.__doc__:
                    yield f"  - `{method}{'' if isinstance(what, property) else signature(function)}` {first_sentence(function)}"


def reference() -> str:
    """The whole page."""
    lines = ["# Reference", "Made by `make docs` from the sources' own words; what is not here may change without a word."]
    for room in ROOMS:
        lines += described(importlib.import_module(room))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TARGET.write_text(reference(), encoding="utf-8")
