"""A number that stands for all that a record holds: the same from plain Python, compiled code and a GPU, however the record lies there."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, cast

from .kernel import Record, rule

_STIR = 0x5851F42D4C957F2D
_MASK = (1 << 63) - 1


@functools.cache
def digest_of(record: type[Record]) -> Callable[[Any, int], int]:
    """A rule `digest(s, before)`, written out field by field: a digest of the record, on top of one from before."""
    lines = ["def digest(s, before):", "    h = 0"]
    place = 1
    for name, field in record.fields.items():
        axes = [f"[{'ijk'[n]}]" for n in range(len(field.shape))]
        for n, size in enumerate(field.shape):
            lines.append("    " * (n + 1) + f"for {'ijk'[n]} in range({size}):")
        at = str(place)
        count = 1
        for n in reversed(range(len(field.shape))):
            at += f" + {count} * {'ijk'[n]}"
            count *= field.shape[n]
        # Wide sums may wrap: what is kept of them is the same.
        lines.append("    " * (len(axes) + 1) + f"h += s.{name}{''.join(axes)} * (({at}) * 0x9E3779B1 + 1)")
        place += count
    lines.append(f"    return ((h ^ before) * {_STIR} + 1) & {_MASK}")
    space: dict[str, Any] = {"__name__": __name__}  # Numba looks its cached functions' module up by name
    exec(compile("\n".join(lines), __file__, "exec"), space)
    return rule(cast("Callable[[Any, int], int]", space["digest"]))
