"""Positions of Druidenwalzer laid out by words, and words for what lies there.

>>> game = position(trees={"S1": "s3<? s5>", "M2": ""}, hands={"sun": "s5< s2>"}, turn="sun")
>>> game.play("W 5<@4")
>>> cards(game, "S1"), tokens(game, "M2")

Cards are written as in records, `s5<`, bottom first; a `?` behind a card lays it face down. A tree that is not mentioned bears one open
9 of its owner's sign, so that it ties with the other trees nobody mentioned and nothing dances by accident; `""` is an empty tree.
Every watcher knows what he could know: face-down cards, the other's hand and both piles are hidden from him.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack

from drunemeton.rules.druidenwalzer import Druidenwalzer, notation, play
from drunemeton.rules.druidenwalzer import knowledge as knowing
from drunemeton.rules.druidenwalzer.knowledge import Knowledge
from drunemeton.rules.druidenwalzer.state import HIDDEN, NO_CARD, OVER, TREES, TURN, State
from drunemeton.rules.druidenwalzer.story import COLOUR_NAMES, SEAT_NAMES, board_text, card_text
from drunemeton.rules.kernel import OPEN
from drunemeton.rules.story import Event, told_to

FILLER = {"S": "s9<", "M": "m9<"}


def tree_of(name: str) -> int:
    """The index of `S1` to `M4`."""
    return "SM".index(name[0]) * TREES + int(name[1]) - 1


def card_of(text: str) -> int:
    """A card written with its sign."""
    assert text[0] in "sm", f"{text!r} has no sign"
    return notation.parse_card(text, 0)


class Laid(TypedDict, total=False):
    """What can be said of a position; a hand, a cult board or a pile that is not mentioned is empty."""

    trees: Mapping[str, str]
    tokens: Mapping[str, int]
    lost: str  # their names
    druids: Mapping[str, str]  # `{"sun": "orange@3 purple@4"}`; by default they stand on the lowest standing trees
    hands: Mapping[str, str]  # a `-` leaves a place empty
    cults: Mapping[str, str]
    piles: Mapping[str, str]
    turn: str
    quiet: int
    options: Mapping[str, Any]


def position(seed: int = 1, **laid: Unpack[Laid]) -> Druidenwalzer:
    """A game at the beginning of a turn."""
    game = Druidenwalzer.new(seed=seed, options=laid.get("options"))
    s = State()
    Druidenwalzer.prepare(s, 2, game.options, game.components)
    s.pile = [[NO_CARD] * len(row) for row in s.pile]
    s.pile_end = [0, 0]
    s.phase = TURN
    s.turn = SEAT_NAMES.index(laid.get("turn", "sun"))
    s.quiet = laid.get("quiet", 0)
    trees, tokens, lost = laid.get("trees", {}), laid.get("tokens", {}), laid.get("lost", "").split()
    names = [f"{letter}{n + 1}" for letter in "SM" for n in range(s.trees)]
    for name in [*trees, *tokens, *lost]:
        assert name in names, f"there is no tree {name}"
    for name in lost:
        s.lost[tree_of(name)] = 1
        s.standing[tree_of(name) // TREES] &= ~(1 << tree_of(name) % TREES)
        s.lost_trees[tree_of(name) // TREES] += 1
    for name in names:
        _lay_stack(s, tree_of(name), trees.get(name, "" if s.lost[tree_of(name)] else FILLER[name[0]]))
        s.tokens[tree_of(name)] = tokens.get(name, 0)
    for seat, name in enumerate(SEAT_NAMES):
        _lay_seat(s, seat, name, laid)
    s.options = play.find_options(s) & ~play.look_alikes(s)
    game.state = s
    for watcher in game.watchers:
        game.knowledge[watcher] = _known(s, watcher)
    return game


def _lay_seat(s: State, seat: int, name: str, laid: Laid) -> None:
    _set_druids(s, seat, laid.get("druids", {}).get(name))
    hand = [NO_CARD if text == "-" else card_of(text) for text in laid.get("hands", {}).get(name, "").split()]
    assert len(hand) <= s.hand_size, f"a hand has {s.hand_size} places"
    s.hand[seat][: len(hand)] = hand
    for text in laid.get("cults", {}).get(name, "").split():
        play.lay_out(s, seat, card_of(text))
    pile = [card_of(text) for text in laid.get("piles", {}).get(name, "").split()]
    s.pile[seat][: len(pile)] = pile
    s.pile_end[seat] = len(pile)
    if seat == s.turn:
        own = range(seat * TREES, seat * TREES + s.trees)
        s.must_fill = sum(1 << tree % TREES for tree in own if not s.lost[tree] and s.height[tree] == 0)


def _lay_stack(s: State, tree: int, words: str) -> None:
    cards = words.split()
    for depth, text in enumerate(cards):
        if text.endswith("?"):
            assert s.down[tree] == depth, "only the lowest cards lie face down"
            s.down[tree] += 1
        play.put_on(s, tree, card_of(text.rstrip("?")))
    assert not cards or s.down[tree] < len(cards), "a top card lies face up"


def _set_druids(s: State, seat: int, words: str | None) -> None:
    standing = [n + 1 for n in range(s.trees) if not s.lost[seat * TREES + n]]
    colours = COLOUR_NAMES[: s.trees - 1]
    if words is None:
        words = " ".join(f"{colour}@{number}" for colour, number in zip(colours, standing, strict=False))
    for word in words.split():
        colour, number = word.split("@")
        assert int(number) in standing, f"no druid can stand on tree {number}"
        assert s.druid_on[seat * TREES + int(number) - 1] < 0, f"two druids on tree {number}"
        s.druid_at[seat][COLOUR_NAMES.index(colour)] = int(number) - 1
        s.druid_on[seat * TREES + int(number) - 1] = COLOUR_NAMES.index(colour)
    assert all(s.druid_at[seat][n] >= 0 for n in range(len(colours))), "a druid is missing"


def _known(s: State, watcher: int) -> Knowledge:
    """What a watcher may know: one pool for face-down cards and the other's hand, another for the pile."""
    k = Knowledge()
    k.assign(s)
    for seat in (0, 1):
        pool = seat * 3
        for tree in range(seat * TREES, seat * TREES + TREES):
            for depth in range(s.down[tree]):
                _hide(k, k.stack[tree], depth, pool)
        for place, card in enumerate(s.hand[seat]):
            if seat != watcher and card != NO_CARD:
                _hide(k, k.hand[seat], place, pool)
        k.pile_pool[seat] = pool + 1
        for i in range(s.pile_end[seat]):
            _hide(k, k.pile[seat], i, pool + 1)
    knowing.ponder(k)
    return k


def _hide(k: Knowledge, row: list[int], i: int, pool: int) -> None:
    k.pool[pool][k.pool_size[pool]] = row[i]
    k.pool_size[pool] += 1
    row[i] = HIDDEN + pool


# --- What lies there, in words -------------------------------------------------------------------------------------


def texts(row: Sequence[int]) -> str:
    """Cards as words, `-` for none."""
    return " ".join(card_text(card) or "-" for card in row)


def cards(game: Druidenwalzer, tree: str) -> str:
    """The stack at a tree, bottom first, with a `?` behind each face-down card."""
    s, t = game.state, tree_of(tree)
    words = [f"{card_text(card)}{'?' if depth < s.down[t] else ''}" for depth, card in enumerate(s.stack[t][: s.height[t]])]
    return " ".join(words)


def tokens(game: Druidenwalzer, tree: str) -> int:
    """The tokens on a tree."""
    return int(game.state.tokens[tree_of(tree)])


def is_lost(game: Druidenwalzer, tree: str) -> bool:
    """Whether a tree shows its red frame."""
    return bool(game.state.lost[tree_of(tree)])


def druid(game: Druidenwalzer, tree: str) -> str | None:
    """The colour of the druid on a tree."""
    colour = game.state.druid_on[tree_of(tree)]
    return COLOUR_NAMES[colour] if colour >= 0 else None


def cult(game: Druidenwalzer, seat: str) -> str:
    """The cards on a cult board, sorted."""
    n = SEAT_NAMES.index(seat)
    return " ".join(sorted(texts(game.state.cult[n][: game.state.cult_size[n]]).split()))


def hand(game: Druidenwalzer, seat: str) -> str:
    """The places of a hand."""
    return texts(game.state.hand[SEAT_NAMES.index(seat)][: game.state.hand_size])


def pile(game: Druidenwalzer, seat: str) -> str:
    """A draw pile, the next card first."""
    n = SEAT_NAMES.index(seat)
    return texts(game.state.pile[n][game.state.pile_at[n] : game.state.pile_end[n]])


def ring(game: Druidenwalzer) -> str | None:
    """The tree under the ban ring, None for the middle."""
    return board_text(game.state.ring)


def on_turn(game: Druidenwalzer) -> str | None:
    """The player who must decide."""
    return None if game.to_move is None else SEAT_NAMES[game.to_move]


def told(game: Druidenwalzer, *kinds: str) -> list[Event]:
    """The events of the last step, those of some kinds only if kinds are named."""
    rows = told_to(game.steps[-1].rows, OPEN)
    return [event for event in game.script.events(rows) if not kinds or event["kind"] in kinds]


def all_cards(s: State) -> Counter[int]:
    """Every card that lies anywhere."""
    found: Counter[int] = Counter()
    for tree in range(2 * TREES):
        found.update(s.stack[tree][: s.height[tree]])
    for seat in (0, 1):
        found.update(s.cult[seat][: s.cult_size[seat]])
        found.update(s.pile[seat][s.pile_at[seat] : s.pile_end[seat]])
        found.update(card for card in s.hand[seat] if card != NO_CARD)
    return found


def check_invariants(s: State, before: Counter[int] | None = None) -> Counter[int]:
    """What holds after every move; `before` are the cards that must still be there."""
    found = all_cards(s)
    assert before is None or found == before, "cards have come or gone"
    assert NO_CARD not in found
    assert s.out_of_range() == []
    assert (s.options == 0) == (s.phase == OVER), "either something is legal or the game is over"
    assert (s.end != 0) == (s.phase == OVER)
    for tree in range(2 * TREES):
        seat, number = divmod(tree, TREES)
        height = s.height[tree]
        assert all(card == NO_CARD for card in s.stack[tree][height:]), "a card above the top"
        assert s.down[tree] == 0 if height == 0 else 0 <= s.down[tree] < height, "a top card lies face up"
        assert s.worth[tree] == (s.stack[tree][height - 1] & 15 if height else 0)
        last_fallen = s.phase == OVER and s.lost[tree] and s.lost_trees[seat] == s.to_lose
        assert 0 <= s.tokens[tree] < s.to_conquer or (last_fallen and s.tokens[tree] == s.to_conquer)
        if s.lost[tree] and not last_fallen:
            assert (height, s.tokens[tree], s.druid_on[tree]) == (0, 0, -1)
        if number >= s.trees:
            assert (height, s.druid_on[tree], s.lost[tree]) == (0, -1, 0)
        # Fields that only repeat what others say.
        assert s.filled[seat] >> number & 1 == (height > 0)
        assert s.standing[seat] >> number & 1 == (number < s.trees and not s.lost[tree])
    for seat in (0, 1):
        own = range(seat * TREES, seat * TREES + s.trees)
        assert s.lost_trees[seat] == sum(s.lost[tree] for tree in own) <= s.to_lose
        placed = {colour: number for colour, number in enumerate(s.druid_at[seat]) if number >= 0}
        assert {s.druid_on[tree]: tree % TREES for tree in own if s.druid_on[tree] >= 0} == placed, "druids on distinct trees"
        if s.phase >= TURN:
            assert len(placed) == s.trees - 1
        if s.phase != OVER:
            assert not any(s.lost[seat * TREES + number] for number in placed.values()), "a druid on a lost tree"
            assert s.lost_trees[seat] < s.to_lose
        assert 0 <= s.pile_at[seat] <= s.pile_end[seat]
        assert all(card == NO_CARD for card in s.hand[seat][s.hand_size :])
    if s.draw_after and s.phase != OVER:
        assert s.quiet < s.draw_after
    return found
