"""What a move will bring, as far as a seat can know: the move is played in many sampled worlds, and what they agree on is certain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import game as rules
from .because import Because
from .kernel import EV_A, Desk, Record, seed
from .story import Event, EventRow, told_to

if TYPE_CHECKING:
    from .game import Game


@dataclass(frozen=True)
class Foreseen:
    """One thing that will happen, in `share` of the worlds; what differs between them is listed with the share of each."""

    event: Event
    share: float
    instead: list[tuple[Event, float]] = field(default_factory=list)
    # The reasons that it has wherever it happens, `?` for what differs between worlds; `at` is 0.
    because: list[Because] = field(default_factory=list)

    @property
    def certain(self) -> bool:
        """Whether it happens in every world, and in the same way."""
        return self.share == 1.0 and not self.instead

    def describe(self) -> dict[str, Any]:
        """As data, for whoever asked."""
        return {
            "event": self.event,
            "share": self.share,
            "instead": [{"event": event, "share": share} for event, share in self.instead],
            "because": [reason.describe() for reason in self.because],
        }


Why = Callable[[list[EventRow]], list[Because]]
"""The reasons for what happens in one step."""


def foresee(game: type[Game], knowledge: Record, action: int, why: Why, *, samples: int, number: int) -> list[Foreseen]:
    """Play the action in `samples` worlds that fit the knowledge of the seat on turn, and compare what it would be told."""
    seat, script = int(rules.to_move(knowledge)), game.script
    desk = Desk()
    seed(desk, number, 0x9E3779B9, 0x85EBCA6B)
    worlds = [_imagine(knowledge, desk, game.state_type(), action, seat) for _ in range(samples)]
    counts: Counter[tuple[int, ...]] = Counter()
    reasons: dict[tuple[int, ...], list[Because]] = {}
    position: dict[tuple[int, ...], float] = {}
    for world in worlds:
        seen: Counter[tuple[int, ...]] = Counter()
        whys = why(world)
        for at, row in enumerate(world):
            # The same thing may happen twice in one world (a tree shows a new card, say); the second time is another event.
            subject = tuple(row[: EV_A + 1])
            key = (seen[subject], *row)
            seen[subject] += 1
            counts[key] += 1
            position[key] = position.get(key, 0.0) + at
            here = [reason._replace(at=0) for reason in whys if reason.at == at]
            reasons[key] = [reason for reason in reasons.get(key, here) if reason in here]
    order = sorted(counts, key=lambda key: (position[key] / counts[key], key))
    foreseen: list[Foreseen] = []
    merged: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for key in order:
        merged.setdefault(key if counts[key] == samples else _subject(key), []).append(key)
    for keys in merged.values():
        shares = sorted(((counts[key] / samples, key) for key in keys), reverse=True)
        event = script.event(shares[0][1][1:])
        if len(keys) == 1:
            foreseen.append(Foreseen(event, shares[0][0], because=reasons[keys[0]]))
        else:
            alternatives = [(script.event(key[1:]), share) for share, key in shares]
            agreed = _agreed([reasons[key] for key in keys])
            common = _common([event for event, _ in alternatives])
            foreseen.append(Foreseen(common, min(1.0, sum(share for share, _ in shares)), alternatives, agreed))
    return foreseen


def _imagine(knowledge: Record, desk: Desk, world: Record, action: int, seat: int) -> list[EventRow]:
    rules.sample(knowledge, desk, world)
    desk.listening = 1
    desk.told = 0
    rules.apply(world, desk, action)
    desk.listening = 0
    return told_to(desk.events[: desk.told], seat)


def _subject(key: tuple[int, ...]) -> tuple[int, ...]:
    """What two differing events are about: their kind, and the first thing they name."""
    return key[: EV_A + 2]


def _common(alternatives: list[dict[str, Any]]) -> dict[str, Any]:
    """An event, or what a reason says, with `?` where the alternatives differ."""
    first, *others = alternatives
    return {name: value if all(other.get(name) == value for other in others) else "?" for name, value in first.items()}


def _agreed(alternatives: list[list[Because]]) -> list[Because]:
    """The reasons of a thing that all its alternatives have, unless these agree in nothing that the reason says."""
    first, *others = alternatives
    found = []
    for reason in first:
        alike = [[one for one in other if (one.code, one.forced) == (reason.code, reason.forced)] for other in others]
        if all(reason in ones for ones in alike):
            found.append(reason)
        elif all(len(ones) == 1 for ones in alike):
            params = _common([reason.params, *(one.params for (one,) in alike)])
            if set(params.values()) != {"?"}:
                found.append(reason._replace(params=params))
    return found
