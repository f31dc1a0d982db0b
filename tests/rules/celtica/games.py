"""Games of Celtica for tests: the state in canonical form, and random boards and decks."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from drunemeton.rules.celtica import Celtica
from drunemeton.rules.celtica.state import CARD, COLOURS, DISPLAY, DRUID, EXPERIENCE, GIVE, KINDS, PART, PLAY, SEATS, TAKE, State
from drunemeton.rules.celtica.story import COLOUR_NAMES, KIND_NAMES, card_text
from drunemeton.rules.chance import BY_STEP, Chance, Orders
from drunemeton.rules.kernel import Desk

PHASES = ("play", "cult", "take", "give", "experience", "over")

SHORT = (None, {"druid_cards": 3, "experience_cards": 2, "parts_per_kind": 2})  # options and components of a game that is soon over


def counted(names: tuple[str, ...], row: list[int]) -> dict[str, int]:
    return {name: row[n] for n, name in enumerate(names) if row[n]}


def listed(names: tuple[str, ...], row: list[int]) -> list[str]:
    return sorted(name for n, name in enumerate(names) for _ in range(row[n]))


def hand(s: State, deck: int, seat: int) -> list[str | None]:
    row = deck * SEATS + seat
    return [card_text(card) for card in s.hand[row][: s.hand_size[row]]]


def canonical(game: Celtica) -> dict[str, Any]:
    """The true state as `tests/reference/README.md` writes it."""
    s = game.state
    piles = [[card_text(card) for card in s.pile[deck][s.pile_at[deck] : s.pile_end[deck]]] for deck in (DRUID, EXPERIENCE)]
    return {
        "druids": {name: s.druid[n] for n, name in enumerate(COLOUR_NAMES)},
        "display": counted(KIND_NAMES, s.display),
        "supply": [card_text(part) for part in s.supply[s.supply_at : s.supply_end]],
        "given": listed(KIND_NAMES, s.given),
        "pile": piles[DRUID],
        "discard": listed(COLOUR_NAMES, s.discard[DRUID]),
        "experience_pile": piles[EXPERIENCE],
        "experience_discard": listed(COLOUR_NAMES, s.discard[EXPERIENCE]),
        "hands": [hand(s, DRUID, seat) for seat in range(s.seats)],
        "experience": [hand(s, EXPERIENCE, seat) for seat in range(s.seats)],
        "parts": [counted(KIND_NAMES, s.parts[seat]) for seat in range(s.seats)],
        "turn": s.turn,
        "phase": PHASES[s.phase],
        "left": s.left if s.phase in {TAKE, GIVE} else 0,
        "round": s.round,
        "starter": s.starter,
    }


def board(rng: random.Random, style: str) -> list[dict[str, Any]]:
    """A path: `rich` in find spots, `poor` with many ruins, or `wild`."""
    count = rng.choice([10, 12, 19, 19, 25, 40])
    weights = {"rich": (1, 1, 6), "poor": (1, 6, 2), "wild": (2, 2, 2), "cults": (6, 2, 2)}[style]
    places: list[dict[str, Any]] = [{"kind": "start", "parts": 0}]
    for _ in range(count - 2):
        kind = rng.choices(["cult", "ruin", rng.choice(["village", "castle", "monastery"])], weights)[0]
        most = rng.choice([3, 9])
        parts = {"cult": 0, "ruin": -rng.randint(1, most)}.get(
            kind, rng.randint(4 if style == "rich" else 1, 9 if style == "rich" else most)
        )
        places.append({"kind": kind, "parts": parts})
    return [*places, {"kind": "goal", "parts": rng.randint(1, 9)}]


def setup(rng: random.Random) -> tuple[int, dict[str, Any], dict[str, Any]]:
    """Seats, options and components of some game."""
    seats = rng.randint(2, 5)
    return seats, *random_setup(rng, seats)


def random_setup(rng: random.Random, seats: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Options and components: the default ones, rich and poor boards, small decks that are renewed all the time."""
    options: dict[str, Any] = {"first_player": rng.randrange(seats)} if rng.random() < 0.4 else {}
    if rng.random() < 0.3:
        options["ask_order"] = True
    components = Celtica.default_components()
    if rng.random() < 0.7:
        components["places"] = board(rng, rng.choice(["rich", "poor", "wild", "cults"]))
    if rng.random() < 0.5:
        components["druid_cards"] = rng.choice([1, 2, 3, 5, 8, 15])
        components["experience_cards"] = rng.choice([0, 1, 2, 4, 7])
        components["parts_per_kind"] = rng.choice([1, 2, 3, 6, 14])
    return options, components


# --- Games dealt by hand -------------------------------------------------------------------------------------------


class Dealt(Chance):
    """The set-up as laid out here, later shuffles from a seed."""

    laid: Orders
    step: int

    def __init__(self, orders: list[list[int]]) -> None:
        super().__init__(b"dealt 0", False, BY_STEP)
        object.__setattr__(self, "laid", Orders([orders]))
        object.__setattr__(self, "step", 0)

    def begin(self, desk: Desk, step: int, shuffled: Sequence[int]) -> None:
        object.__setattr__(self, "step", step)
        if step == 0:
            self.laid.begin(desk, 0, shuffled)
        else:
            super().begin(desk, step, shuffled)

    def finish(self, desk: Desk) -> None:
        if self.step == 0:
            self.laid.finish(desk)
        else:
            super().finish(desk)


def path(text: str) -> list[dict[str, Any]]:
    """Places in short: v, b (castle), m with their parts, c a cult place, r with what it costs; at last what the goal gives."""
    kinds = {"v": "village", "b": "castle", "m": "monastery", "r": "ruin", "c": "cult"}
    places: list[dict[str, Any]] = [{"kind": "start", "parts": 0}]
    *middle, goal = text.split()
    for word in middle:
        sign = -1 if word[0] == "r" else 1
        places.append({"kind": kinds[word[0]], "parts": sign * int(word[1:] or 0)})
    return [*places, {"kind": "goal", "parts": int(goal)}]


def _ordered(names: tuple[str, ...], each: int, first: list[str], base: int) -> list[int]:
    """The wanted cards first, then the rest of the deck in its order."""
    rest = [name for name in names for _ in range(each)]
    for name in first:
        rest.remove(name)
    return [base + names.index(name) for name in [*first, *rest]]


def dealt(
    board: str = "v1 v1 v1 v1 v1 v1 v1 v1 1",
    hands: str = "",
    *,
    seats: int = 2,
    experience: str = "",
    display: str = "sun moon star oak stag raven wave flame centre",
    parts: str = "",
    options: Mapping[str, Any] | None = None,
    **counts: int,
) -> Celtica:
    """A game in which the named cards lie first in each pile: with `/` the hands from the first seat on, then what is drawn; so with parts.

    Seat 0 is the first if `options` do not say otherwise. Colours and kinds may be shortened to the first letters that tell them apart.
    """
    components = Celtica.default_components() | {"places": path(board)} | counts

    def full(names: tuple[str, ...], text: str) -> list[str]:
        return [next(name for name in names if name.startswith(word)) for word in text.replace("/", " ").split()]

    orders = [
        _ordered(COLOUR_NAMES, components["druid_cards"], full(COLOUR_NAMES, hands), CARD),
        _ordered(COLOUR_NAMES, components["experience_cards"], full(COLOUR_NAMES, experience), CARD),
        _ordered(KIND_NAMES, components["parts_per_kind"], full(KIND_NAMES, f"{display} {parts}"), PART),
    ]
    return Celtica.new(seats=seats, options={"first_player": 0, **(options or {})}, components=components, chance=Dealt(orders))


def play(game: Celtica, *moves: str) -> Celtica:
    """Play the moves, one after the other."""
    for move in moves:
        game.play(move)
    return game


def settle(game: Celtica) -> Celtica:
    """Answer everything in the simplest way until somebody must play cards."""
    while not game.over and game.state.phase != PLAY:
        game.play(game.legal()[0])
    return game


def assert_conserved(s: State, components: dict[str, Any]) -> None:
    """Every card and every part is somewhere, once; every count fits what it counts."""
    for deck, entry in ((DRUID, "druid_cards"), (EXPERIENCE, "experience_cards")):
        pile = s.pile[deck][s.pile_at[deck] : s.pile_end[deck]]
        assert sum(s.discard[deck]) == s.discard_size[deck]
        for colour in range(COLOURS):
            held = 0
            for seat in range(SEATS):
                row = deck * SEATS + seat
                cards = s.hand[row]
                assert all((card > 0) == (i < s.hand_size[row]) for i, card in enumerate(cards))
                assert cards.count(CARD + colour) == s.held[row][colour]
                held += s.held[row][colour]
            assert pile.count(CARD + colour) + s.discard[deck][colour] + held == components[entry]
    supply = s.supply[s.supply_at : s.supply_end]
    assert (sum(s.display), sum(s.given)) == (s.shown, s.given_size)
    assert s.shown <= DISPLAY
    for kind in range(KINDS):
        owned = sum(s.parts[seat][kind] for seat in range(SEATS))
        assert supply.count(PART + kind) + s.display[kind] + s.given[kind] + owned == components["parts_per_kind"]
    for seat in range(SEATS):
        assert sum(s.parts[seat]) == s.parts_size[seat]
        assert s.hand_size[seat] + s.hand_size[SEATS + seat] <= 5 + 5 * components["experience_cards"]
