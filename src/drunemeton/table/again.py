"""What somebody was shown at a table before: the steps behind lines of his story, so that he can watch them once more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..records.frames import changes
from ..rules.story import told_to

if TYPE_CHECKING:
    from .table import Table

MOST = 120  # steps in one answer: longer than any turn


def seen_again(table: Table, watcher: int, first: int, last: int) -> dict[str, Any] | None:
    """The steps that told a watcher these of his events, counted from the table's beginning, as his view changed; None if there are none.

    Everybody is told the same number of events, and the views are those of what this watcher knew then.
    """
    steps: list[tuple[int, int, int]] = []  # number, place of its first event, how many events
    place = 0
    for number, step in enumerate(table.game.steps[table.begun :], table.begun):
        told = len(told_to(step.rows, watcher))
        if first < place + told and place <= last:
            steps.append((number, place, told))
        place += told
    if not steps or not 0 <= first <= last < place:
        return None
    steps = steps[:MOST]
    views = list(table.game.views(watcher, steps[0][0], steps[-1][0]))
    return {
        "first": steps[0][1],
        "view": views[0],
        "steps": [
            {"events": told, "changes": list(changes(before, after))}
            for (_, _, told), before, after in zip(steps, views, views[1:], strict=False)
        ],
    }
