"""Game after game between the same players: swapped seats, streaks, and the handicap for whoever keeps winning (DW-8.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..rules.chance import Chance
from ..rules.errors import BadOption
from .errors import Refused
from .table import Entry, Table, made

ARROWS = "<>"


def streaks_after(table: Table) -> list[int]:
    """How many games in a row each seat's player has won; a loss or a draw ends it."""
    assert table.result is not None
    before = table.opening["series"].get("streaks", [0] * len(table.seats))
    winners = table.result.winners
    return [before[seat] + 1 if seat in winners else 0 for seat in range(len(table.seats))]


def handicap_values(streak: int) -> list[int]:
    """DW-8.1: the values left out after so many wins in a row."""
    return [] if streak == 0 else [2] if streak == 1 else [2, 3]


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
    streaks = streaks_after(table)
    given = old.get("handicap", [[] for _ in range(seats)])
    options, picked = dict(opening["options"]), [list[str]() for _ in range(seats)]
    come_from = [(seat + 1) % seats for seat in range(seats)]
    names = table.game_type.seat_names
    for seat, before in enumerate(come_from):
        key, old_key = (f"handicap_{names[n]}" if n < len(names) else "" for n in (seat, before))
        if key not in options:
            continue
        # What the players agreed on freely moves along with them; what the series gave is given anew.
        agreed = list(opening["options"][old_key])
        for card in given[before]:
            agreed.remove(card)
        if handicap:
            deck = opening["components"].get(names[seat], {})
            picked[seat] = _pick(deck, agreed, handicap_values(streaks[before]), (cards or {}).get(before))
        options[key] = agreed + picked[seat]
    return made(
        opening["game"],
        [{"kind": table.seats[n].kind, "name": table.seats[n].name, "bot": opening["seats"][n]["bot"]} for n in come_from],
        now=now,
        options=options,
        components=opening["components"],
        clock=opening["clock"],
        chance=chance,
        series={
            "streaks": [streaks[n] for n in come_from],
            "handicap": picked,
            "game": old.get("game", 1) + 1,
            "previous": table.ident,
            "came_from": come_from,
        },
        find=lambda _name: table.game_type,
    )


def _pick(deck: Mapping[str, int], taken: Sequence[str], values: Sequence[int], wanted: Sequence[str] | None) -> list[str]:
    """One card of each value: the one the owner names, or the arrow he has more of."""
    if wanted is not None:
        if sorted(card[:1] for card in wanted) != [str(value) for value in values]:
            raise BadOption("cards", "streak", values=list(values), cards=list(wanted))
        return list(wanted)
    left = dict(deck)
    for card in taken:
        left[card] = left.get(card, 0) - 1
    return [max((f"{value}{arrow}" for arrow in ARROWS), key=lambda card: left.get(card, 0)) for value in values]
