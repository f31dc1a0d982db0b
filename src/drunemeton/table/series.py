"""Game after game between the same players: swapped seats, streaks, and the handicap for whoever keeps winning, where the game has one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..rules.chance import Chance
from .entries import Entry
from .errors import Refused
from .streaks import streaks_after
from .table import Table, made


def rematch(
    table: Table,
    *,
    now: int,
    handicap: bool,
    cards: Mapping[int, Sequence[str]] | None = None,
    chance: Chance | None = None,
) -> Entry:
    """The first entry of the next table: everybody moves one seat on, and the winner gives a handicap if it is wanted and the game has one.

    `cards`: what a player of the old table's seat picks to leave out, since the owner of a deck chooses the arrows.
    """
    if not table.over:
        raise Refused("running")
    opening, seats = table.opening, len(table.seats)
    old = opening["series"]
    assert table.result is not None
    streaks = streaks_after(old, table.result)
    given = old.get("handicap", [[] for _ in range(seats)])
    options, picked = dict(opening["options"]), [list[str]() for _ in range(seats)]
    come_from = [(seat + 1) % seats for seat in range(seats)]
    rule = table.game_type.handicap
    for seat, before in enumerate(come_from):
        if rule is None:
            break
        # What the players agreed on freely moves along with them; what the series gave is given anew.
        agreed = list(opening["options"][rule.option_of(before)])
        for card in given[before]:
            agreed.remove(card)
        if handicap:
            picked[seat] = rule.given(opening["components"], seat, agreed, streaks[before], (cards or {}).get(before))
        options[rule.option_of(seat)] = agreed + picked[seat]
    entry = made(
        opening["game"],
        [{"kind": table.seats[n].kind, "name": table.seats[n].name, "bot": opening["seats"][n]["bot"]} for n in come_from],
        now=now,
        options=options,
        components=opening["components"],
        clock=opening["clock"],
        chance=chance,
        find=lambda _name: table.game_type,
    )
    series = {
        "streaks": [streaks[n] for n in come_from],
        "handicap": picked,
        "game": old.get("game", 1) + 1,
        "previous": table.ident,
        "came_from": come_from,
    }
    return entry | {"series": series, "waits": bool(opening.get("waits"))}
