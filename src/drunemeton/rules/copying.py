"""Copying one record into another, written out from the description of its fields, so that a new field cannot be forgotten."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

from .kernel import Record, rule


def copier(record: type[Record], module: dict[str, Any]) -> Callable[[Any, Any], None]:
    """A rule that copies all fields of `record` from one record that has them into another.

    It belongs to the module whose namespace is given, as if it were written there: compiled rules are kept and found by module and file.
    """
    made: dict[str, Callable[[Any, Any], None]] = {}
    exec(compile(_written(record), module["__file__"], "exec"), module, made)
    return rule(made["copy_fields"])


def _written(record: type[Record]) -> str:
    """The rule's source: one loop for all fields of a shape."""
    by_shape = sorted(record.fields, key=lambda name: record.fields[name].shape)
    lines = ["def copy_fields(source, target):"]
    for shape, names in groupby(by_shape, key=lambda name: record.fields[name].shape):
        inside = "    " * (len(shape) + 1)
        lines += [f"{'    ' * (depth + 1)}for i{depth} in range({count}):" for depth, count in enumerate(shape)]
        at = "".join(f"[i{depth}]" for depth in range(len(shape)))
        lines += [f"{inside}target.{name}{at} = source.{name}{at}" for name in names]
    return "\n".join(lines) + "\n"
