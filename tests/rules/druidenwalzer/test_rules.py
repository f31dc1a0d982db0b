"""One test or more for every numbered rule of `docs/rules/en/druidenwalzer.md`; each names its rule in its docstring.

It is long because it is read beside the text of the rules, in its order.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import pytest

from drunemeton.rules.druidenwalzer import Druidenwalzer
from drunemeton.rules.druidenwalzer.state import PASS
from drunemeton.rules.errors import BadComponents, BadOption, IllegalMove
from drunemeton.rules.kernel import OPEN, SPECTATOR

from .positions import cards, check_invariants, cult, druid, hand, is_lost, on_turn, pile, position, ring, texts, tokens, told

SUN, MOON = 0, 1
ROWS = {
    "rotated": ["S4", "S3", "S2", "S1", "MC", "M4", "M3", "M2", "M1", "SC"],
    "mirrored": ["S4", "S3", "S2", "S1", "MC", "M1", "M2", "M3", "M4", "SC"],
}
TREES = [f"{letter}{n}" for letter in "SM" for n in (1, 2, 3, 4)]
DECK = {f"{value}{arrow}": 3 for value in range(1, 6) for arrow in "<>"}


def walk(row: str, origin: str, arrow: str, steps: int, lost: tuple[str, ...] = ()) -> str:
    """Where a dancer arrives, counted on the printed ring with the lost trees cut out."""
    boards = [board for board in ROWS[row] if board not in lost]
    return boards[(boards.index(origin) + (steps if arrow == "<" else -steps)) % len(boards)]


def set_up(game: Druidenwalzer) -> Druidenwalzer:
    """Through the set-up: druids on trees 1, 2, 3."""
    while game.legal()[0][0] == "1":
        game.play(game.legal()[0])
    while "@" in game.legal()[0] and game.legal()[0][0] not in "WR":
        game.play(game.legal()[0])
    return game


def kinds(game: Druidenwalzer) -> list[str]:
    """The kinds of the events of the last step."""
    return [event["kind"] for event in told(game) if event["kind"] != "order"]


def dancers(game: Druidenwalzer) -> list[tuple[str, str]]:
    """From where to where, in order."""
    return [(event["from"], event["to"]) for event in told(game, "danced")]


def meetings(game: Druidenwalzer) -> list[str]:
    """The colours that met, in order."""
    return [event["colour"] for event in told(game, "met")]


def refused(game: Druidenwalzer, move: str | int) -> str:
    """The rule for which a move is refused; that it is refused leaves the state as it was."""
    before = game.state.copy()
    with pytest.raises(IllegalMove) as refusal:
        game.play(move)
    assert game.state == before
    return refusal.value.reason.rule or ""


# --- 1 Components --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", ROWS)
def test_the_oval(row: str) -> None:
    """DW-1.1: ten boards in a ring; option moon_row."""
    game = Druidenwalzer.new(seed=1, options={"moon_row": row})
    assert game.view()["oval"] == ROWS[row]


def test_the_oval_is_rotated_by_default() -> None:
    """DW-1.1: the default, from both chairs: 1 2 3 4 and the cult board from left to right, clockwise to the left."""
    oval = Druidenwalzer.new(seed=1).view()["oval"]
    assert oval == ROWS["rotated"]
    for letter in "SM":
        row = [f"{letter}{n}" for n in (1, 2, 3, 4)] + [f"{letter}C"]
        places = [oval.index(board) for board in row]
        assert all((right - left) % 10 == 9 for left, right in itertools.pairwise(places)), "each step to the right goes counter-clockwise"


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("arrow", "<>")
@pytest.mark.parametrize("mover", ["sun", "moon"])
def test_every_landing_place(row: str, arrow: str, mover: str) -> None:
    """DW-1.1, DW-4.5: every dancer from every tree, one to four steps, both ways, on both ovals."""
    letter = mover[0].upper()
    for steps in (1, 2, 3, 4):
        for origin in TREES:
            if origin == f"{letter}{steps}":
                continue
            game = position(trees={origin: "s1<"}, hands={mover: "m1" + arrow}, turn=mover, options={"moon_row": row})
            game.play(f"W {'m' if mover == 'sun' else ''}1{arrow}@{steps}")
            assert dancers(game) == [(origin, walk(row, origin, arrow, steps))]


def test_trees_stand_or_are_lost() -> None:
    """DW-1.2: four trees a side; all stand at first, and one that falls is turned over for good."""
    game = Druidenwalzer.new(seed=3)
    assert [(tree["name"], tree["lost"]) for tree in game.view()["trees"]] == [(name, False) for name in TREES]
    game = position(trees={"S1": "s5<", "M1": "m1<"}, tokens={"M1": 5}, hands={"sun": "s8<"})
    game.play("W 8<@2")
    assert [tree["name"] for tree in game.view()["trees"] if tree["lost"]] == ["M1"]


def test_the_default_deck() -> None:
    """DW-1.3: thirty cards a cult, of every value three with each arrow, flagged as reconstructed."""
    assert Druidenwalzer.default_components() == {"sun": DECK, "moon": DECK}
    assert {entry["status"] for entry in Druidenwalzer.provenance().values()} == {"reconstructed"}
    assert set(Druidenwalzer.provenance()) == {"sun", "moon"}
    game = set_up(Druidenwalzer.new(seed=5))
    found = check_invariants(game.state)
    by_name = Counter(texts([card]) for card in found.elements())
    assert by_name == {sign + card: 3 for sign in "sm" for card in DECK}


def deck(size: int, *, ones: str = "1<", value: int = 2) -> dict[str, int]:
    """A deck of that size with a single 1."""
    return {ones: 1, f"{value}<": size - 1}


@pytest.mark.parametrize("cards_of_sun", [deck(24), deck(60), deck(24, ones="1>"), deck(30, value=9), {"1>": 24}])
def test_decks_of_ones_own(cards_of_sun: dict[str, int]) -> None:
    """DW-1.3: 24 to 60 cards, values 1 to 9, one 1 of either arrow."""
    game = set_up(Druidenwalzer.new(seed=1, components={"sun": cards_of_sun, "moon": DECK}))
    assert sum(check_invariants(game.state).values()) == sum(cards_of_sun.values()) + 30
    assert cult(game, "sun") in {"s1<", "s1>"}


@pytest.mark.parametrize(
    ("components", "entry"),
    [
        ({"sun": deck(23), "moon": DECK}, "sun"),
        ({"sun": DECK, "moon": deck(61)}, "moon"),
        ({"sun": DECK, "moon": {"2<": 30}}, "moon"),
        ({"sun": DECK, "moon": {"1<": 0, "2<": 30}}, "moon"),
        ({"sun": {**DECK, "0<": 1}, "moon": DECK}, "sun.0<"),
        ({"sun": {**DECK, "10<": 1}, "moon": DECK}, "sun.10<"),
        ({"sun": {**DECK, "5": 1}, "moon": DECK}, "sun.5"),
        ({"sun": {**DECK, "s5<": 1}, "moon": DECK}, "sun.s5<"),
        ({"sun": {**DECK, "5<": -1}, "moon": DECK}, "sun.5<"),
        ({"sun": {**DECK, "5<": 2.5}, "moon": DECK}, "sun.5<"),
        ({"sun": {**DECK, "5<": True}, "moon": DECK}, "sun.5<"),
        ({"sun": {**DECK, "5<": "three"}, "moon": DECK}, "sun.5<"),
        ({"sun": DECK, "moon": [1, 2]}, "moon"),
        ({"sun": DECK, "moon": DECK, "stars": DECK}, "stars"),
    ],
)
def test_decks_that_cannot_be_used(components: dict[str, Any], entry: str) -> None:
    """DW-1.3: the message names the faulty entry."""
    with pytest.raises(BadComponents) as error:
        Druidenwalzer.new(seed=1, components=components)
    assert error.value.entry == entry
    assert entry in str(error.value)


def test_druids_and_tokens() -> None:
    """DW-1.4: one druid of each colour a side, and a twenty-first token if it is needed."""
    game = set_up(Druidenwalzer.new(seed=2))
    for letter in "SM":
        assert sorted(filter(None, (druid(game, f"{letter}{n}") for n in (1, 2, 3, 4)))) == ["black", "orange", "purple"]
    five_each = {f"M{n}": 5 for n in (1, 2, 3, 4)}
    game = position(trees={"M3": "m1<"}, tokens=five_each, hands={"sun": "s8<"})
    game.play("W 8<@1")
    assert [event["tokens"] for event in told(game, "token")] == [6]
    assert is_lost(game, "M3")


def test_the_ban_ring_is_shared() -> None:
    """DW-1.5: one ring for both players, wherever the last waltz was."""
    game = position(
        hands={"sun": "s1< s2<", "moon": "m1< m2<"},
        trees={"S1": "s4<", "M1": "m9< m9<"},
        tokens={"S1": 4},
        options={"trees_to_lose": 1},
    )
    assert game.view()["ring"] is None
    assert game.view()["resting"] is None
    game.play("W 1<@2")
    game.play("W 2<@4")
    assert [event["tree"] for event in game.events(since=1) if event["kind"] == "played"] == ["S2", "M4"]
    assert on_turn(game) is None
    assert ring(game) == "M4"


# --- 2 Set-up ------------------------------------------------------------------------------------------------------


def test_a_one_is_laid_down() -> None:
    """DW-2.1: Moon chooses the arrow, then Sun, and only then are the decks shuffled."""
    game = Druidenwalzer.new(seed=4)
    assert on_turn(game) == "moon"
    assert game.legal() == ["1<", "1>"]
    game.play("1>")
    assert on_turn(game) == "sun"
    assert game.legal() == ["1<", "1>"]
    assert kinds(game) == ["arrow_laid"]
    assert game.orders() == [[], []]
    assert cult(game, "moon") == "m1>"
    assert cult(game, "sun") == ""
    game.play("1<")
    assert cult(game, "sun") == "s1<"
    assert [pile for pile, _ in game.orders()[-1]] == ["moon", "sun"]
    assert [len(order) for _, order in game.orders()[-1]] == [29, 29]
    assert kinds(game).index("arrow_laid") < kinds(game).index("shuffled")


def test_a_single_arrow_is_no_choice() -> None:
    """DW-2.1, DW-10.2: whoever owns 1s of one arrow only is not asked."""
    game = Druidenwalzer.new(seed=4, components={"sun": DECK, "moon": {**DECK, "1<": 0}})
    assert cult(game, "moon") == "m1>"
    assert on_turn(game) == "sun"
    game = Druidenwalzer.new(seed=4, components={"sun": deck(30), "moon": deck(30, ones="1>")})
    assert cult(game, "moon") == "m1>"
    assert cult(game, "sun") == "s1<"
    assert on_turn(game) == "moon"
    assert game.legal() == ["orange@1", "orange@2", "orange@3", "orange@4"]


def test_the_deal() -> None:
    """DW-2.2, DW-2.3: five cards at each tree with the top one up, three in hand, six of nine left; all from the shuffled deck."""
    game = Druidenwalzer.new(seed=9)
    game.play("1<")
    game.play("1<")
    orders = {name: [texts([card]) for card in order] for name, order in game.orders()[-1]}
    for seat, letter in (("sun", "S"), ("moon", "M")):
        order = orders[seat]
        assert len(order) == 29
        for n in (1, 2, 3, 4):
            assert cards(game, f"{letter}{n}").replace("?", "").split() == order[5 * n - 5 : 5 * n]
            assert cards(game, f"{letter}{n}").count("?") == 4
            assert not cards(game, f"{letter}{n}").endswith("?")
        assert hand(game, seat).split() == order[20:23]
        assert pile(game, seat).split() == order[23:]
    assert len(order[20:]) == 9


def test_the_pile_is_smaller_after_a_handicap() -> None:
    """DW-2.3: nine cards are left without handicap, eight with a card less."""
    game = set_up(Druidenwalzer.new(seed=9, options={"handicap_sun": ["2<"]}))
    assert len(pile(game, "sun").split()) == 8 - 3
    assert len(pile(game, "moon").split()) == 9 - 3


def test_druids_take_their_places() -> None:
    """DW-2.4: Moon all three on different trees, then Sun, after tops and own hands are seen."""
    game = Druidenwalzer.new(seed=6)
    game.play("1<")
    game.play("1<")
    assert game.legal() == ["orange@1", "orange@2", "orange@3", "orange@4"]
    assert all(tree["top"] not in {None, "?"} for tree in game.view(MOON)["trees"])
    assert "?" not in game.view(MOON)["hand"]["moon"]
    seats = []
    for move in ("orange@3", "purple@1", "black@4", "orange@2", "purple@1", "black@3"):
        seats.append(on_turn(game))
        game.play(move)
        if move == "orange@3":
            assert game.legal() == ["purple@1", "purple@2", "purple@4"]
            assert refused(game, "purple@3") == "DW-2.4"
            assert refused(game, "black@1") == "DW-2.4"
    assert seats == ["moon"] * 3 + ["sun"] * 3
    assert [druid(game, name) for name in TREES] == ["purple", "orange", "black", None, "purple", None, "orange", "black"]


def test_moon_begins_and_turns_alternate() -> None:
    """DW-2.5: the ring lies in the middle, Moon has the first turn, then Sun."""
    game = set_up(Druidenwalzer.new(seed=8))
    assert ring(game) is None
    assert on_turn(game) == "moon"
    for seat in ("sun", "moon", "sun", "moon"):
        game.play("J orange")
        assert on_turn(game) == seat


# --- 3 The turn ----------------------------------------------------------------------------------------------------


def test_waltz_jump_or_retreat() -> None:
    """DW-3.0: exactly one of three things; with four trees and three different cards 12 + 3 + 7 moves."""
    game = position(hands={"sun": "s1< m2> s3<"})
    waltzes = {f"W {card}@{n}" for card in ("1<", "m2>", "3<") for n in (1, 2, 3, 4)}
    jumps = {"J orange", "J purple", "J black"}
    retreats = {"R 1<", "R m2>", "R 3<", "R @1", "R @2", "R @3", "R @4"}
    assert set(game.legal()) == waltzes | jumps | retreats
    assert len(game.legal()) == 22
    for move in ("W 1<@1", "J black", "R 3<", "R @2"):
        game = position(hands={"sun": "s1< m2> s3<", "moon": "m1<"})
        game.play(move)
        assert on_turn(game) == "moon", f"{move} is a whole turn"


def test_retreat_from_the_hand() -> None:
    """DW-3.1: a hand card, even one of the other cult, goes to the own cult board."""
    game = position(hands={"sun": "s1< m2> s3<"}, cults={"moon": "m1<"})
    game.play("R m2>")
    assert cult(game, "sun") == "m2>"
    assert cult(game, "moon") == "m1<"
    assert hand(game, "sun") == "s1< - s3<"


def test_retreat_from_a_tree() -> None:
    """DW-3.1: the top card of an own tree goes to the own cult board, and a face-down card below is turned up at once."""
    game = position(trees={"S2": "s4>? s5<? m1<", "S3": "s4> s3<"}, hands={"sun": "s1<"})
    game.play("R @2")
    assert cult(game, "sun") == "m1<"
    assert cards(game, "S2") == "s4>? s5<"
    assert kinds(game) == ["retreated", "turned", "turn"]
    game = position(trees={"S2": "s4>? s5<? m1<", "S3": "s4> s3<"}, hands={"sun": "s1<"})
    game.play("R @3")
    assert cards(game, "S3") == "s4>"
    assert kinds(game) == ["retreated", "turn"]


def test_retreat_may_empty_a_tree() -> None:
    """DW-3.1: the last card of a tree may be taken; where nothing lies nothing can be."""
    game = position(trees={"S2": "s4>"}, hands={"sun": "s1<", "moon": "m1<"}, tokens={"S2": 3})
    game.play("R @2")
    assert cards(game, "S2") == ""
    assert not is_lost(game, "S2")
    assert tokens(game, "S2") == 3
    game = position(trees={"S2": ""})
    assert "R @2" not in game.legal()
    assert refused(game, "R @2") == "DW-3.1"


def test_jump() -> None:
    """DW-3.2: an own druid moves to the free standing tree; tokens stay with their tree."""
    game = position(druids={"sun": "orange@4 purple@2 black@1"}, tokens={"S4": 4, "S3": 2})
    assert game.view()["jump_to"] == {"sun": 3, "moon": 4}
    game.play("J orange")
    assert game.view()["jump_to"]["sun"] == 4
    assert [druid(game, f"S{n}") for n in (1, 2, 3, 4)] == ["black", "purple", "orange", None]
    assert tokens(game, "S4") == 4
    assert tokens(game, "S3") == 2
    assert [druid(game, f"M{n}") for n in (1, 2, 3, 4)] == ["orange", "purple", "black", None]


def test_no_jump_after_a_lost_tree() -> None:
    """DW-3.2: three druids on three trees cannot jump; the other side still can."""
    game = position(lost="S2", hands={"sun": "s1<", "moon": "m1<"})
    assert not [move for move in game.legal() if move.startswith("J")]
    assert game.view()["jump_to"]["sun"] is None
    assert refused(game, "J orange") == "DW-3.2"
    game.play("R 1<")
    assert {"J orange", "J purple", "J black"} <= set(game.legal())


@pytest.mark.parametrize("move", ["J orange", "R 5<", "R @1"])
def test_no_contests_after_jump_or_retreat(move: str) -> None:
    """DW-3.3: unequal druids stay in peace."""
    game = position(trees={"S1": "s1<", "S2": "s1<", "M1": "m5<"}, hands={"sun": "s5< s4<"})
    game.play(move)
    assert meetings(game) == []
    assert game.state.tokens == [0] * 8
    assert ring(game) is None


def test_no_passing_by_choice() -> None:
    """DW-3.4: passing is refused while anything is legal."""
    game = position(hands={"sun": "s1<"})
    assert PASS not in game.actions()
    assert refused(game, PASS) == "DW-3.4"


def test_a_pass_when_nothing_is_legal() -> None:
    """DW-3.4, DW-7.1: no hand card, no card at any own tree, no free tree: the player passes."""
    game = position(trees={"S1": "", "S2": "", "S3": ""}, lost="S4", turn="sun")
    assert game.actions() == [PASS]
    game = position(
        trees={"S1": "", "S2": ""}, lost="S3", turn="moon", hands={"moon": "m1<"}, options={"trees": 3, "trees_to_lose": 2, "draw_after": 0}
    )
    game.play("R 1<")
    assert "passed" in kinds(game), "it is forced, so nobody is asked"
    assert [(event["tree"], event["how"]) for event in told(game, "tree_lost")] == [("S1", "empty")]
    assert game.result is not None
    assert game.result.winners == [MOON]


def test_the_order_of_a_turn() -> None:
    """DW-3.5: action, contests, ring back, empty trees, drawing, then the other player."""
    game = position(
        trees={"S1": "s4<", "S4": "", "M1": "m1<", "M2": "m1>? m3<"},
        hands={"sun": "- s3<", "moon": "m2<"},
        piles={"sun": "s1> s1< s2< s5<"},
    )
    game.play("W 3<@2")
    assert kinds(game) == [
        "played", "danced", "turned", "met", "token", "card_won", "met", "ring_back", "tree_lost", "drawn", "drawn", "drawn", "turn",
    ]  # fmt: skip
    assert meetings(game) == ["orange", "black"]
    assert is_lost(game, "S4")
    assert hand(game, "sun") == "s1> s1< s2<"


def test_drawing_comes_before_the_draw_rule() -> None:
    """DW-3.5: the hand is filled, and then the draw rule is checked."""
    game = position(hands={"sun": "s3<"}, piles={"sun": "s1> s1< s2<"}, options={"draw_after": 7}, quiet=6)
    game.play("R 3<")
    assert kinds(game) == ["retreated", "drawn", "drawn", "drawn", "ended"]


def test_a_card_just_won_may_be_drawn() -> None:
    """DW-3.5: contests come before drawing, so a winning card may come straight back."""
    game = position(trees={"S1": "s2< s5<", "M1": "m1<"}, hands={"sun": "s3<", "moon": "m3<"})
    game.play("W 3<@2")
    assert hand(game, "sun") == "s5< - -"
    assert cult(game, "sun") == ""


def test_the_end_stops_the_turn() -> None:
    """DW-3.5: when the game ends in a contest, there is no further contest, no ring back, no drawing."""
    game = position(
        trees={"S1": "s5<", "S2": "s5<", "M1": "m1<", "M2": "m1<", "S4": ""},
        tokens={"M1": 5},
        lost="M4",
        hands={"sun": "s8<"},
        piles={"sun": "s1< s1< s1<"},
    )
    game.play("W 8<@3")
    assert kinds(game) == ["played", "met", "token", "card_won", "tree_lost", "ended"]
    assert meetings(game) == ["orange"]
    assert ring(game) == "S3"
    assert hand(game, "sun") == "- - -"
    assert not is_lost(game, "S4")


# --- 4 The waltz ---------------------------------------------------------------------------------------------------


def test_playing_a_card() -> None:
    """DW-4.1: any hand card, whatever its sign, at any own standing tree, with druid or without, filled or empty."""
    for move, tree, stack in (
        ("W m4<@1", "S1", "s9< m4<"),
        ("W 3>@4", "S4", "s9< s3>"),
        ("W m4<@3", "S3", "m4<"),
    ):
        game = position(trees={"S3": ""}, hands={"sun": "m4< s3>"}, druids={"sun": "orange@1 purple@2 black@3"})
        game.play(move)
        assert cards(game, tree) == stack
    game = position(lost="S2", hands={"sun": "m4<", "moon": "m1<"})
    assert [move for move in game.legal() if move.startswith("W")] == ["W m4<@1", "W m4<@3", "W m4<@4"]
    assert refused(game, "W m4<@2") == "DW-4.1"
    assert refused(game, "W 4<@1") == "DW-4.1", "not in hand: this 4 would bear the sun"


def test_the_ring_goes_to_the_tree() -> None:
    """DW-4.2: to the tree where the card was played."""
    game = position(hands={"sun": "s1< s2<"}, tokens={"M1": 5}, trees={"M1": "m8<"}, lost="M4")
    game.play("W 1<@3")
    assert ring(game) == "S3", "the game ended before it could go back"
    assert told(game, "played")[0]["tree"] == "S3"


def test_who_dances() -> None:
    """DW-4.3: visible tops of both sides with that value, and nothing else."""
    game = position(
        trees={
            "S1": "s2< s5<",  # dances
            "S2": "s5> s2<",  # a covered 5
            "S3": "s5<",  # covered by the card just played
            "S4": "s5>? s5<",  # dances; the 5 that comes to light does not
            "M1": "m5<? m2<",  # a face-down 5
            "M2": "m5> m5<",  # dances; a covered open 5 comes to light and does not
            "M3": "m4<",
            "M4": "s5>",  # dances: the sign does not matter
        },
        hands={"sun": "s5> s1<"},
        cults={"sun": "s5<", "moon": "m5<"},
    )
    game.play("W 5>@3")
    assert sorted(origin for origin, _ in dancers(game)) == ["M2", "M4", "S1", "S4"]
    assert dict(dancers(game)) == {origin: walk("rotated", origin, ">", 3) for origin in ("S1", "S4", "M2", "M4")}
    assert cards(game, "S2") == "s5> s2< s5>", "the covered 5 stayed, and M4's came on top"
    assert cards(game, "S3").startswith("s5< s5>")
    assert cards(game, "S4").startswith("s5>")
    assert "m5>" in cards(game, "M2") + cult(game, "moon")
    assert "s5<" in cult(game, "sun")
    assert "m5<" in cult(game, "moon")


def test_the_snapshot_is_taken_once() -> None:
    """DW-4.3: a card that comes to light during the dance stays, although a dancer that is met later moves."""
    game = position(trees={"M4": "m5< m5>", "M1": "m5<", "M2": "m3<", "S4": "s1<"}, hands={"sun": "s5<"}, tokens={"M4": 1})
    game.play("W 5<@2")
    assert dancers(game) == [("M4", "M2"), ("M1", "S4")]
    assert cards(game, "M4") == "m5<"


@pytest.mark.parametrize("arrow", "<>")
def test_all_follow_the_played_arrow(arrow: str) -> None:
    """DW-4.4: whatever arrows the dancers bear."""
    game = position(trees={"M2": "m5<", "M3": "m5>"}, hands={"sun": "s5" + arrow})
    game.play(f"W 5{arrow}@1")
    assert dict(dancers(game)) == {"M2": "M1", "M3": "M2"} if arrow == "<" else {"M2": "M3", "M3": "M4"}
    assert {event["way"] for event in told(game, "danced")} == {arrow}


def test_lost_trees_are_skipped() -> None:
    """DW-4.5: cult boards count as a step, lost trees do not."""
    game = position(trees={"S1": "s5>"}, lost="M3", hands={"sun": "s5<"})
    game.play("W 5<@4")
    assert dancers(game) == [("S1", "M1")], "MC, M4, M2, M1"


@pytest.mark.parametrize("row", ROWS)
def test_every_landing_place_with_lost_trees(row: str) -> None:
    """DW-4.5: all ways with one tree lost on each side."""
    for ours, theirs, steps in itertools.product((1, 3), (1, 2, 4), (2, 4)):
        lost = (f"S{ours}", f"M{theirs}")
        for origin, arrow in itertools.product(TREES, "<>"):
            if origin in lost or origin == f"S{steps}":
                continue
            game = position(trees={origin: "m1<"}, lost=" ".join(lost), hands={"sun": "s1" + arrow}, options={"moon_row": row})
            game.play(f"W 1{arrow}@{steps}")
            assert dancers(game) == [(origin, walk(row, origin, arrow, steps, lost))]


def test_the_order_of_the_dance() -> None:
    """DW-4.6: the first dancer met in the direction of the dance moves first."""
    everywhere = {name: name[0].lower() + "5<" for name in TREES}
    game = position(trees={**everywhere, "S2": "s9<"}, hands={"sun": "s5<"})
    game.play("W 5<@2")
    assert [origin for origin, _ in dancers(game)] == ["S1", "M4", "M3", "M2", "M1", "S4", "S3"]
    game = position(trees={**everywhere, "S2": "s9<"}, hands={"sun": "s5>"})
    game.play("W 5>@2")
    assert [origin for origin, _ in dancers(game)] == ["S3", "S4", "M1", "M2", "M3", "M4", "S1"]
    game = position(trees={**everywhere, "S2": "s9<"}, hands={"sun": "s5<"}, options={"moon_row": "mirrored"})
    game.play("W 5<@2")
    assert [origin for origin, _ in dancers(game)] == ["S1", "M1", "M2", "M3", "M4", "S4", "S3"]


def test_drawn_out_from_under() -> None:
    """DW-4.6: M4's dancer lands on M3's, which still has to move and is drawn out from under it."""
    game = position(trees={"M4": "m1< m5<", "M3": "m2>? m5>", "M2": "m3<", "S1": "s1<"}, hands={"sun": "s5<"})
    game.play("W 5<@1")
    assert [(event["from"], event["to"], event["card"]) for event in told(game, "danced")] == [("M4", "M3", "m5<"), ("M3", "M2", "m5>")]
    assert cards(game, "M4") == "m1<"
    assert [event["depth"] for event in told(game, "danced")] == [1, 1]
    # What lay face down stays so: the arriving card covers it. (M3's 5 then ties or wins as it may; black is on M3, purple on M2.)
    assert cards(game, "M3") == "m2>? m5<"
    assert cards(game, "M2") == "m3< m5>"


def test_where_a_dancer_lands() -> None:
    """DW-4.7: on top of a stack, as a new stack, or on a cult board, whatever its sign, to be reshuffled by that board's player."""
    game = position(trees={"M1": "s5>", "M3": "m5>", "M2": "m5<", "S4": "", "S3": "m4<"}, hands={"sun": "s5< s1<", "moon": "m1<"})
    game.play("W 5<@2")
    assert dict(dancers(game)) == {"M1": "S4", "M2": "SC", "M3": "M1"}
    assert cards(game, "S4") == "s5>"
    assert cards(game, "M1") == "m5>"
    assert "m5<" in cult(game, "sun")
    game = position(trees={"M1": "m5>"}, hands={"sun": "s5<", "moon": "m1<"})
    game.play("W 5<@1")
    assert hand(game, "sun") == "m5> - -", "Moon's card has become Sun's"


def test_tops_are_turned_up_after_the_dance() -> None:
    """DW-4.8: when all have moved."""
    game = position(trees={"M2": "m1>? m1<? m5<", "M4": "m3<? s5<", "S1": "s2<? s5>"}, hands={"sun": "s5<"})
    game.play("W 5<@3")
    happened = kinds(game)
    assert happened[:7] == ["played", "danced", "danced", "danced", "turned", "turned", "turned"]
    assert {event["tree"]: event["card"] for event in told(game, "turned")[:3]} == {"M2": "m1<", "M4": "m3<", "S1": "s2<"}
    assert cards(game, "M2").startswith("m1>? m1<")


def test_a_covered_face_down_card_stays_down() -> None:
    """DW-4.8: a stack that a dancer leaves and another reaches shows the newcomer, in either order."""
    for arrow, first in (("<", "M4"), (">", "M3")):
        game = position(trees={"M4": "m1<? m5<", "M3": "m2<? m5>"}, hands={"sun": "s5" + arrow})
        game.play(f"W 5{arrow}@1")
        assert dancers(game)[0][0] == first
        covered = "M3" if arrow == "<" else "M4"
        assert cards(game, covered) == ("m2<? m5<" if arrow == "<" else "m1<? m5>")
        assert [event["tree"] for event in told(game, "turned")] == [first]


def test_a_waltz_without_dancers() -> None:
    """DW-4.9: it is legal, and the contests follow."""
    game = position(trees={"S1": "s5<", "M1": "m4<"}, hands={"sun": "s8<"})
    game.play("W 8<@4")
    assert dancers(game) == []
    assert meetings(game) == ["orange", "purple", "black"]
    assert tokens(game, "M1") == 1


# --- 5 The contests ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tree", "colours"),
    [(1, ["purple", "black"]), (2, ["orange", "black"]), (3, ["orange", "purple"]), (4, ["orange", "purple", "black"])],
)
def test_which_colours_meet(tree: int, colours: list[str]) -> None:
    """DW-5.1: the colour under the ring rests on both sides; on a tree without druid all meet."""
    game = position(hands={"sun": "s8<"}, druids={"moon": "orange@4 purple@1 black@2"})
    game.play(f"W 8<@{tree}")
    assert meetings(game) == colours


def test_druids_meet_wherever_they_stand() -> None:
    """DW-5.1: it is the colour that counts, not the number of the tree."""
    game = position(
        hands={"sun": "s8<"},
        druids={"sun": "orange@4 purple@1 black@3", "moon": "orange@2 purple@4 black@1"},
        trees={"S1": "s3<", "S3": "s2<", "S4": "s1<", "M1": "m1<", "M2": "m2<", "M4": "m4<"},
    )
    game.play("W 8<@2")
    assert [event["trees"] for event in told(game, "met")] == [["S4", "M2"], ["S1", "M4"], ["S3", "M1"]]
    assert {name: tokens(game, name) for name in TREES if tokens(game, name)} == {"S4": 1, "S1": 1, "M1": 1}


def test_a_colour_meets_once() -> None:
    """DW-5.1: a druid that had to leave his tree does not meet again, and the colours stay those of the beginning."""
    game = position(hands={"sun": "s8<"}, trees={"S1": "s6<", "M1": "m1<", "M4": "m1<"}, tokens={"M1": 5})
    game.play("W 8<@4")
    assert druid(game, "M4") == "orange"
    assert meetings(game) == ["orange", "purple", "black"]


def both_fall(turn: str = "sun", **more: Any) -> Druidenwalzer:
    """Orange would fell Sun and purple Moon, if both were fought."""
    trees = {"S1": "s1<", "M1": "m5<", "S2": "s4<", "M2": "m2<", "S3": "s3<", "M3": "m3<"}
    words: dict[str, Any] = {"trees": trees, "tokens": {"S1": 5, "M2": 5}, "lost": "S4 M4", "hands": {turn: f"{turn[0]}8< {turn[0]}7<"}}
    return position(**(words | {"turn": turn} | more))


@pytest.mark.parametrize(("colour", "winner"), [("orange", MOON), ("purple", SUN)])
@pytest.mark.parametrize("turn", ["sun", "moon"])
def test_the_order_of_contests_is_asked(colour: str, winner: int, turn: str) -> None:
    """DW-5.2: both would lose their second tree, so the player on turn decides who falls first."""
    game = both_fall(turn)
    game.play("W 8<@3")
    assert game.legal() == ["C orange", "C purple"]
    assert on_turn(game) == turn
    assert meetings(game) == []
    assert ring(game) == f"{turn[0].upper()}3"
    assert game.view()["resting"] == "black"
    assert refused(game, "C black") == "DW-5.1"
    assert refused(game, "J orange") == "DW-5.2"
    game.play(f"C {colour}")
    assert game.result is not None
    assert game.result.winners == [winner]
    assert meetings(game) == [colour]


def test_the_order_is_asked_colour_by_colour() -> None:
    """DW-5.2: with three colours the question comes again; the last colour is no question."""
    game = both_fall(lost="", options={"trees_to_lose": 1})
    game.play("W 8<@4")
    assert game.legal() == ["C orange", "C purple", "C black"]
    game.play("C black")
    assert meetings(game) == ["black"]
    assert game.legal() == ["C orange", "C purple"]
    game.play("C purple")
    assert game.result is not None
    assert game.result.winners == [SUN]


def test_the_question_stays_after_a_first_fall() -> None:
    """DW-5.2: Moon would lose two trees and Sun his second; when Moon's first has fallen the order still matters."""
    game = position(
        trees={"S1": "s1<", "M1": "m5<", "S2": "s4<", "M2": "m2<", "S3": "s4<", "M3": "m3<"},
        tokens={"S1": 5, "M2": 5, "M3": 5},
        lost="S4",
        hands={"moon": "m8< m7<"},
        turn="moon",
    )
    game.play("W 8<@4")
    assert game.legal() == ["C orange", "C purple", "C black"]
    game.play("C purple")
    assert is_lost(game, "M2")
    assert druid(game, "M4") == "purple"
    assert game.legal() == ["C orange", "C black"]
    game.play("C orange")
    assert game.result is not None
    assert game.result.winners == [MOON]


@pytest.mark.parametrize(
    "change",
    [
        {"tokens": {"S1": 4, "M2": 5}},  # Sun's tree would not fall
        {"tokens": {"S1": 5, "M2": 4}},  # nor Moon's
        {"lost": "S4"},  # Moon would have lost one only
        {"lost": "M4"},
        {"trees": {"S1": "s5<", "M1": "m5<", "S2": "s4<", "M2": "m2<"}},  # a tie
        {"trees": {"S1": "", "M1": "", "S2": "s4<", "M2": "m2<"}},  # a tie of empty trees
        {"options": {"tokens_to_conquer": 6, "trees_to_lose": 2}, "tokens": {"S1": 5}},
    ],
)
def test_the_order_is_not_asked_otherwise(change: dict[str, Any]) -> None:
    """DW-5.2: as soon as one of them would survive, the order is orange, purple, black."""
    game = both_fall(**change)
    game.play("W 8<@3")
    assert meetings(game)[0] == "orange"
    assert meetings(game) in (["orange", "purple"], ["orange"])
    assert game.over or on_turn(game) == "moon"


def test_resting_colours_do_not_count() -> None:
    """DW-5.2: the remaining contests are meant; the one that rests cannot fell anybody."""
    game = both_fall()
    game.play("W 8<@1")
    assert meetings(game) == ["purple"]
    assert game.result is not None
    assert game.result.winners == [SUN]


def test_the_question_counts_empty_trees_as_zero() -> None:
    """DW-5.2, DW-5.3: an empty tree would lose."""
    game = both_fall(trees={"S1": "", "M1": "m5<", "S2": "s4<", "M2": ""})
    game.play("W 8<@3")
    assert game.legal() == ["C orange", "C purple"]


@pytest.mark.parametrize(
    ("sun", "moon", "token"),
    [
        ("s5<", "m3>", "M1"),
        ("s3<", "m5>", "S1"),
        ("m3<", "s3>", None),
        ("", "m1<", "S1"),
        ("s1<", "", "M1"),
        ("", "", None),
        ("s9<? s2<", "m4<", "S1"),
    ],
)
def test_the_higher_top_card_wins(sun: str, moon: str, token: str | None) -> None:
    """DW-5.3: the higher value; equal ones do nothing; an empty tree counts 0, and two tie."""
    game = position(trees={"S1": sun, "M1": moon}, hands={"sun": "s8< s7<", "moon": "m8< m7<"})
    game.play("W 8<@4")
    assert [event["tree"] for event in told(game, "token")] == ([token] if token else [])
    if token is None:
        assert cult(game, "sun") == cult(game, "moon") == ""
        assert cards(game, "S1") == sun


def test_the_winning_card_leaves() -> None:
    """DW-5.4: to the winner's own cult board, whatever its sign; the next card is turned up and does not fight."""
    game = position(trees={"S1": "s9>? m5<", "M1": "m2<? m4<", "S2": "s1<", "M2": "m8>? s3<"}, hands={"sun": "s7<"})
    game.play("W 7<@3")
    assert tokens(game, "M1") == 1
    assert tokens(game, "S2") == 1
    assert cult(game, "moon") == "s3<"
    assert hand(game, "sun") == "m5< - -", "the cult board was reshuffled for drawing"
    assert cards(game, "S1") == "s9>"
    assert cards(game, "M1") == "m2<? m4<", "the losing card stays"
    assert cards(game, "M2") == "m8>"
    assert meetings(game) == ["orange", "purple"]


def test_the_sixth_token_conquers() -> None:
    """DW-5.5: before the next contest; after the last one the ring returns."""
    game = position(trees={"S1": "s9<? s5<", "M1": "m1<", "S2": "s5<", "M2": "m1<"}, tokens={"M1": 5, "M2": 4}, hands={"sun": "s8< s7<"})
    game.play("W 8<@4")
    assert kinds(game) == [
        "played", "met", "token", "card_won", "turned", "tree_lost", "druid_moved", "scattered",
        "met", "token", "card_won", "met", "ring_back", "turn",
    ]  # fmt: skip
    assert is_lost(game, "M1")
    assert not is_lost(game, "M2")
    assert tokens(game, "M2") == 5
    assert ring(game) is None


# --- 6 Losing a tree -----------------------------------------------------------------------------------------------


def test_the_second_tree_ends_the_game() -> None:
    """DW-6.1: it is turned over; its druid, its tokens and its cards stay as they lie."""
    game = position(trees={"S1": "s5<", "M1": "m2<? s2<? m1<"}, tokens={"M1": 5}, lost="M4", hands={"sun": "s8<"})
    game.play("W 8<@2")
    assert game.result is not None
    assert (game.result.end, game.result.places) == ("conquest", (1, 2))
    assert is_lost(game, "M1")
    assert druid(game, "M1") == "orange"
    assert tokens(game, "M1") == 6
    assert cards(game, "M1") == "m2<? s2<? m1<"
    assert game.legal() == []
    with pytest.raises(IllegalMove) as refusal:
        game.play("J orange")
    assert refusal.value.reason.code == "over"


def test_the_second_tree_may_be_an_empty_one() -> None:
    """DW-6.1, DW-7.2: the kind of end tells the two apart."""
    game = position(trees={"S1": "", "M1": ""}, lost="S4", tokens={"S1": 2}, hands={"sun": "s8<"})
    game.play("W 8<@2")
    assert game.result is not None
    assert (game.result.end, game.result.places) == ("empty", (2, 1))
    assert tokens(game, "S1") == 2
    assert druid(game, "S1") == "orange"


def test_the_first_tree() -> None:
    """DW-6.2: its druid moves to the free tree, its tokens return, and it takes no card, no druid and no step."""
    game = position(trees={"S1": "s5<", "M1": "m1<"}, tokens={"M1": 5, "M4": 3}, hands={"sun": "s8<", "moon": "m1< m2<"})
    game.play("W 8<@2")
    assert not game.over
    assert is_lost(game, "M1")
    assert druid(game, "M1") is None
    assert druid(game, "M4") == "orange"
    assert tokens(game, "M1") == 0
    assert tokens(game, "M4") == 3, "tokens stay with their tree"
    assert cards(game, "M1") == ""
    assert not [move for move in game.legal() if move.endswith("@1") or move.startswith("J")]


def test_a_tree_without_druid_is_lost() -> None:
    """DW-6.2, DW-7.2: the druids stay where they are."""
    game = position(trees={"S4": ""}, hands={"sun": "s8<", "moon": "m1<"}, tokens={"S4": 2})
    game.play("W 8<@2")
    assert is_lost(game, "S4")
    assert tokens(game, "S4") == 0
    assert [druid(game, f"S{n}") for n in (1, 2, 3, 4)] == ["orange", "purple", "black", None]


@pytest.mark.parametrize(("option", "sun", "moon"), [("by_sign", "s1< s5< s7>", "m1< m2<"), ("tree_owner", "s5<", "m1< m2< s1< s7>")])
def test_cards_of_a_lost_tree(option: str, sun: str, moon: str) -> None:
    """DW-6.3: face-down ones too go face up to the cult of their sign, or to the tree's owner; the winning 5 goes to Sun."""
    game = position(
        trees={"S1": "s9< s5<", "M1": "s7>? m2<? s1< m1<"},
        tokens={"M1": 5},
        hands={"sun": "s8< s6<"},
        options={"conquered_cards": option},
    )
    game.play("W 8<@2")
    assert cult(game, "sun") == sun
    assert cult(game, "moon") == moon
    assert game.view(SUN)["cult"] == {"sun": sun.split(), "moon": moon.split()}


def test_by_sign_is_the_default() -> None:
    """DW-6.3: the option's default; a tree lost by emptiness has no cards to scatter."""
    assert Druidenwalzer.new(seed=1).options["conquered_cards"] == "by_sign"
    game = position(trees={"S4": ""}, hands={"sun": "s8< s7<", "moon": "m1<"})
    game.play("W 8<@2")
    assert told(game, "scattered") == []


@pytest.mark.parametrize("limit", [1, 5, 60])
def test_the_draw_rule(limit: int) -> None:
    """DW-6.5: so many single turns in a row without a token or a lost tree; the default is 60."""
    game = position(options={} if limit == 60 else {"draw_after": limit}, hands={"sun": "s1<", "moon": "m1<"})
    for n in range(limit):
        assert not game.over
        assert game.state.quiet == n
        game.play("J orange")
    assert game.result is not None
    assert game.result.end == "draw"
    assert game.result.places == (1, 1)
    assert game.result.winners == [SUN, MOON]


def test_the_draw_rule_can_be_switched_off() -> None:
    """DW-6.5: draw_after 0."""
    game = position(options={"draw_after": 0})
    for _ in range(200):
        game.play("J orange")
    assert not game.over


def test_a_token_breaks_the_row_of_quiet_turns() -> None:
    """DW-6.5: in the very turn that would have ended the game; a quiet waltz does not."""
    for top, over in (("m1<", False), ("m9<", True)):
        game = position(trees={"M1": top}, options={"draw_after": 8}, quiet=7, hands={"sun": "s8<", "moon": "m1<"})
        game.play("W 8<@2")
        assert game.over == over
        assert game.state.quiet == (8 if over else 0)


def test_a_lost_tree_breaks_the_row_of_quiet_turns() -> None:
    """DW-6.5: a tree lost by emptiness counts too."""
    game = position(trees={"S4": ""}, options={"draw_after": 8}, quiet=7, hands={"sun": "s8<", "moon": "m1<"})
    game.play("W 8<@2")
    assert not game.over
    assert game.state.quiet == 0


def test_passes_count_as_quiet_turns() -> None:
    """DW-6.5, DW-3.4: a pass that costs no tree is a quiet turn. The other's turn brings one too, since quiet turns are single ones."""
    game = position(trees={"S1": "", "S2": "", "S3": ""}, lost="S4", turn="sun", quiet=3, hands={"moon": "m1<"})
    game.state.must_fill = 0  # as if they had run empty only now
    game.play(PASS)
    assert kinds(game) == ["passed", "turn"]
    assert game.state.quiet == 4


def test_forced_turns_for_ever_are_a_draw() -> None:
    """DW-6.5: where nobody ever has a choice, sixty forced decisions end the game, even if draw_after is 0."""
    # One tree and one card each: whoever waltzes sends the other's only card away, who then has no choice but to do the same.
    game = position(
        trees={"S1": "", "M1": "m1<"},
        lost="S2 M2",
        hands={"sun": "s1<", "moon": "m1<"},
        cults={"sun": "s1<", "moon": "m1>"},
        options={"trees": 2, "stack": 1, "hand": 1, "draw_after": 0},
    )
    game.play(game.actions()[0])
    assert game.result is not None
    assert game.result.end == "draw"
    assert kinds(game).count("played") == 1 + 60
    for watcher in game.watchers:
        assert game.view(watcher)["quiet"] == game.state.quiet


# --- 7 Empty trees, and the hand -----------------------------------------------------------------------------------


def test_an_empty_tree_means_a_waltz() -> None:
    """DW-7.1: with a hand card one must waltz; which waltz is free."""
    game = position(trees={"S2": ""}, hands={"sun": "s5< m2>", "moon": "m1<"})
    assert game.legal() == [f"W {card}@{n}" for card in ("5<", "m2>") for n in (1, 2, 3, 4)]
    for move in ("J orange", "R 5<", "R @1"):
        assert refused(game, move) == "DW-7.1"
    assert [tree["name"] for tree in game.view(SUN)["trees"] if tree["must_fill"]] == ["S2"]


def test_an_empty_tree_of_the_other_side_means_nothing() -> None:
    """DW-7.1: own trees only, and lost ones do not count."""
    game = position(trees={"M2": ""}, lost="S4", hands={"sun": "s5<"})
    assert "R 5<" in game.legal()


def test_an_empty_tree_without_a_hand_card() -> None:
    """DW-7.1: jump or retreat."""
    game = position(trees={"S2": ""}, hands={"moon": "m1<"})
    assert set(game.legal()) == {"J orange", "J purple", "J black", "R @1", "R @3", "R @4"}
    game.play("J black")
    assert is_lost(game, "S2")
    assert druid(game, "S3") == "purple", "the free tree is now the one that black left"


def test_the_start_of_the_turn_decides() -> None:
    """DW-7.1: what the opponent emptied in his turn is a duty now."""
    game = position(trees={"M1": "m1<", "M2": "m9> m9<"}, hands={"sun": "s1<", "moon": "m2< m4<"})
    game.play("W 1<@4")
    assert cards(game, "M1") == ""
    assert game.state.must_fill == 1
    assert all(move.startswith("W") for move in game.legal())


@pytest.mark.parametrize(("move", "falls"), [("W 8<@2", False), ("W 1<@4", False), ("W 8<@4", True)])
def test_empty_trees_are_judged_at_the_end(move: str, falls: bool) -> None:
    """DW-7.2: filled by the card itself or by a dancer it stands; else it falls, with no token on it at all."""
    game = position(
        trees={"S2": "", "M1": "m1>", "M2": ""},
        hands={"sun": "s8< s1<", "moon": "m5<"},
        druids={"sun": "orange@1 purple@4 black@3"},
    )
    game.play(move)
    assert is_lost(game, "S2") == falls
    if move == "W 1<@4":
        assert dancers(game) == [("M1", "S2")]


def test_filled_and_emptied_again() -> None:
    """DW-7.2: its only card won a contest and left, so the tree is lost all the same (DE, not FR)."""
    game = position(trees={"S2": "", "M2": "m1<", "S3": "s3>"}, hands={"sun": "s3<", "moon": "m5<"})
    game.play("W 3<@1")
    assert dancers(game) == [("S3", "S2")]
    assert tokens(game, "M2") == 1
    assert is_lost(game, "S2")
    # Played there and resting it would have stayed; a win from the played card itself needs the druid elsewhere, so it cannot be.
    game = position(trees={"S2": "", "M2": "m1<"}, hands={"sun": "s3<", "moon": "m5<"})
    game.play("W 3<@2")
    assert cards(game, "S2") == "s3<"
    assert not is_lost(game, "S2")


def test_trees_that_ran_empty_this_turn_are_safe() -> None:
    """DW-7.2: until the end of one's next turn (DE, not NL)."""
    game = position(
        trees={"S1": "s5<", "M1": "m1<", "S2": "s8<", "M2": "m9> m9<"},
        hands={"sun": "s8< s6< s2<", "moon": "m3< m4<"},
        options={"draw_after": 0},
    )
    game.play("W 8<@3")
    assert cards(game, "S1") == ""
    assert cards(game, "S2") == "", "danced away"
    assert not is_lost(game, "S1")
    assert not is_lost(game, "S2")
    game.play("J orange")
    assert not is_lost(game, "S1"), "the opponent's turn does not judge it"
    game.play("W 2<@1")
    assert not is_lost(game, "S1")
    assert is_lost(game, "S2")


def test_two_trees_fall_in_the_order_of_their_numbers() -> None:
    """DW-7.2: the lower number first, and the second ends the game."""
    game = position(trees={"S2": "", "S3": ""}, hands={"sun": "s8<", "moon": "m1<"})
    game.play("W 8<@1")
    assert [event["tree"] for event in told(game, "tree_lost")] == ["S2", "S3"]
    assert game.result is not None
    assert (game.result.end, game.result.winners) == ("empty", [MOON])
    assert druid(game, "S3") == "black"
    assert druid(game, "S4") == "purple"


def test_an_empty_tree_conquered_in_between() -> None:
    """DW-7.2: a tree that fell by tokens in this turn does not fall twice."""
    game = position(trees={"S1": "", "M1": "m1<"}, tokens={"S1": 5}, hands={"sun": "s8<", "moon": "m2<"})
    game.play("W 8<@2")
    assert [event["how"] for event in told(game, "tree_lost")] == ["conquest"]
    assert game.state.lost_trees == [1, 0]


def test_an_empty_hand_is_filled() -> None:
    """DW-7.3: three cards at the end of one's own turn, and only when the hand is empty."""
    game = position(hands={"sun": "- s5<", "moon": "- - -"}, piles={"sun": "s1< m2> s3< s4<", "moon": "m1< m2< m3<"})
    game.play("R 5<")
    assert hand(game, "sun") == "s1< m2> s3<"
    assert pile(game, "sun") == "s4<"
    assert cult(game, "sun") == "s5<", "there was no need to reshuffle"
    assert hand(game, "moon") == "- - -", "not at the end of the other's turn"
    game.play("J orange")
    assert hand(game, "moon") == "m1< m2< m3<"
    game = position(hands={"sun": "s4< s5<"}, piles={"sun": "s1< m2> s3< s4<"})
    game.play("R 5<")
    assert hand(game, "sun") == "s4< - -"


def test_the_pile_is_renewed_in_the_middle_of_a_draw() -> None:
    """DW-7.3: only when a card must be drawn and there is none; the cards of the own cult board, whatever their signs."""
    game = position(hands={"sun": "s5<"}, piles={"sun": "s1<"}, cults={"sun": "m2> s3< m4<", "moon": "m1<"})
    game.play("R 5<")
    assert kinds(game) == ["retreated", "drawn", "shuffled", "drawn", "drawn", "turn"]
    ((name, order),) = game.orders()[-1]
    assert name == "sun"
    assert sorted(texts(order).split()) == ["m2>", "m4<", "s3<", "s5<"]
    assert hand(game, "sun") == f"s1< {texts(order[:2])}"
    assert pile(game, "sun") == texts(order[2:])
    assert cult(game, "sun") == ""
    assert cult(game, "moon") == "m1<"


def test_a_pile_just_used_up_is_not_renewed() -> None:
    """DW-7.3: the last card of the pile is drawn, and the cult board stays until the next drawing."""
    game = position(hands={"sun": "s5<"}, piles={"sun": "s1< s2< s3<"}, cults={"sun": "m2>"})
    game.play("R 5<")
    assert hand(game, "sun") == "s1< s2< s3<"
    assert pile(game, "sun") == ""
    assert cult(game, "sun") == "m2> s5<"
    assert "shuffled" not in kinds(game)


def test_fewer_cards() -> None:
    """DW-7.3: with two cards one plays on, and draws only when the hand is empty."""
    game = position(hands={"sun": "s5<", "moon": "m1< m2< m3<"}, piles={"sun": "s1<"}, options={"draw_after": 0})
    game.play("R 5<")
    assert hand(game, "sun") == "s1< s5< -"
    game.play("J orange")
    game.play("R 5<")
    assert hand(game, "sun") == "s1< - -"
    assert cult(game, "sun") == "s5<", "a hand that is not empty does not draw"
    game.play("J orange")
    game.play("J orange")
    assert hand(game, "sun") == "s1< - -"


def test_no_cards_at_all() -> None:
    """DW-7.3: with none one tries again at the end of one's next turn, whatever one did."""
    game = position(hands={"sun": "s8<", "moon": "m1< m2<"}, options={"draw_after": 0})
    game.play("W 8<@1")
    assert hand(game, "sun") == "- - -"
    game.play("J orange")
    assert not [move for move in game.legal() if move.startswith("W")]
    game.play("J orange")
    assert hand(game, "sun") == "- - -"
    game.play("J orange")
    game.play("R @1")
    assert hand(game, "sun") == "s8< - -"


def test_a_retreating_hand_card_counts_as_played() -> None:
    """DW-7.4: the last one makes the hand empty, and three are drawn."""
    game = position(hands={"sun": "- - m5<"}, piles={"sun": "s1< s2< s3< s4<"})
    game.play("R m5<")
    assert hand(game, "sun") == "s1< s2< s3<"


# --- 8 Variants ----------------------------------------------------------------------------------------------------


def test_handicap() -> None:
    """DW-8.1: the cards named are out for the whole game, each with the arrow that was picked."""
    game = set_up(Druidenwalzer.new(seed=3, options={"handicap_moon": ["2<", "3>"], "handicap_sun": ["1>"]}))
    found = Counter(texts([card]) for card in check_invariants(game.state).elements())
    whole = Counter({sign + card: 3 for sign in "sm" for card in DECK})
    assert whole - found == Counter(["m2<", "m3>", "s1>"])


@pytest.mark.parametrize(
    ("handicap", "fits"),
    [
        (["2<", "2<", "2<"], True),
        (["2<"] * 4, False),
        (["9<"], False),
        (["nonsense"], False),
        (["2<", "2<", "2<", "2>", "2>", "2>"], True),
        (["2<", "2<", "2<", "2>", "2>", "2>", "3>"], False),
        (["1<", "1<", "1<", "1>", "1>"], True),
        (["1<", "1<", "1<", "1>", "1>", "1>"], False),
    ],
)
def test_handicap_bounds(handicap: list[str], fits: bool) -> None:
    """DW-8.1: what is taken out must be there; at least one 1 and 24 cards must remain."""
    if fits:
        game = set_up(Druidenwalzer.new(seed=3, options={"handicap_sun": handicap}))
        assert sum(check_invariants(game.state).values()) == 60 - len(handicap)
    else:
        with pytest.raises(BadOption) as error:
            Druidenwalzer.new(seed=3, options={"handicap_sun": handicap})
        assert error.value.entry == "handicap_sun"


def test_all_variants_are_off() -> None:
    """DW-8.1, DW-8.2, DW-8.3: unless switched on; the printed values are the defaults."""
    assert Druidenwalzer.new(seed=1).options == {
        "moon_row": "rotated", "conquered_cards": "by_sign", "draw_after": 60, "cover_protects": False,
        "handicap_sun": [], "handicap_moon": [],
        "trees": 4, "stack": 5, "hand": 3, "tokens_to_conquer": 6, "trees_to_lose": 2,
    }  # fmt: skip


@pytest.mark.parametrize("protects", [True, False])
def test_cover_protects(protects: bool) -> None:
    """DW-8.2: a chain of three: M4's dancer covers M3's, which stays; so M2's is not covered and moves."""
    game = position(
        trees={"M4": "m1< m5<", "M3": "m2>? m5>", "M2": "s5<", "M1": "m3<", "S1": "s1<"},
        hands={"sun": "s5<"},
        options={"cover_protects": protects},
    )
    game.play("W 5<@1")
    stayed = [event["tree"] for event in told(game, "stayed")]
    if protects:
        assert dancers(game) == [("M4", "M3"), ("M2", "M1")]
        assert stayed == ["M3"]
        assert cards(game, "M3") == "m2>? m5> m5<"
        assert cards(game, "M2") == ""
    else:
        assert dancers(game) == [("M4", "M3"), ("M3", "M2"), ("M2", "M1")]
        assert stayed == []
        assert cards(game, "M3") == "m2>? m5<"
        assert cards(game, "M2") == "m5>"
    assert cards(game, "M1") == "m3< s5<"


def test_cover_protects_follows_the_order_of_the_dance() -> None:
    """DW-8.2, DW-4.6: the other way round it is M3's dancer that covers M4's."""
    game = position(trees={"M4": "m5<", "M3": "m5>"}, hands={"sun": "s5>"}, options={"cover_protects": True})
    game.play("W 5>@1")
    assert dancers(game) == [("M3", "M4")]
    assert [event["tree"] for event in told(game, "stayed")] == ["M4"]
    assert cards(game, "M4") == "m5< m5>"


def test_a_place_left_before_is_no_cover() -> None:
    """DW-8.2: a dancer that comes where another has left already covers nobody, and one covered too late has moved."""
    game = position(trees={"S1": "s1<", "S3": "s5<", "M1": "m5<"}, hands={"sun": "s5<"}, options={"cover_protects": True})
    # Clockwise from S2, three of a kind: S1 is a 1; M1 is met before S3, and lands two steps on, at S4.
    game.play("W 5<@2")
    assert dancers(game) == [("M1", "S4"), ("S3", "S1")]
    assert told(game, "stayed") == []


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("trees", 2, 4), ("stack", 1, 5), ("hand", 1, 3), ("tokens_to_conquer", 1, 6), ("trees_to_lose", 1, 2), ("draw_after", 0, 1000)],
)
def test_bounds_of_small_games(name: str, low: int, high: int) -> None:
    """DW-8.3: each number within its bounds; the error names the option."""
    for value in range(low, min(high, 7) + 1):
        set_up(Druidenwalzer.new(seed=1, options={name: value}))
    for wrong in (low - 1, high + 1, "3", 2.0, True, None):
        with pytest.raises(BadOption) as error:
            Druidenwalzer.new(seed=1, options={name: wrong})
        assert error.value.entry == name


@pytest.mark.parametrize(("trees", "stack", "cards_in_hand"), [(2, 1, 1), (2, 5, 3), (3, 2, 2), (4, 1, 3), (4, 5, 1)])
def test_small_decks(trees: int, stack: int, cards_in_hand: int) -> None:
    """DW-8.3, DW-1.3: one card for the cult board, the stacks and the hand are enough; one less is not."""
    options = {"trees": trees, "stack": stack, "hand": cards_in_hand}
    needed = 1 + trees * stack + cards_in_hand
    small = {"1<": 1, "2>": needed - 1}
    game = Druidenwalzer.new(seed=1, options=options, components={"sun": small, "moon": small})
    assert [tree["cards"] for tree in game.view()["trees"]] == [stack] * 2 * trees
    assert game.view(MOON)["hand"]["moon"] == ["m2>"] * cards_in_hand
    assert game.view()["pile"] == {"sun": 0, "moon": 0}
    colours = []
    while not game.legal()[0].startswith("W"):
        colours.append(game.legal()[0].split("@")[0])
        game.play(game.legal()[0])
    assert colours == ["orange", "purple", "black"][: trees - 1] * 2
    check_invariants(game.state)
    with pytest.raises(BadComponents) as error:
        Druidenwalzer.new(seed=1, options=options, components={"sun": small, "moon": {"1<": 1, "2>": needed - 2}})
    assert error.value.entry == "moon"


def test_a_small_game() -> None:
    """DW-8.3: two trees, one druid, one token conquers, one lost tree loses; the ring of boards is shorter."""
    game = position(
        trees={"S1": "s5<", "M1": "m1<"},
        hands={"sun": "s2< s3<"},
        options={"trees": 2, "tokens_to_conquer": 1, "trees_to_lose": 1},
    )
    assert game.view()["oval"] == ["S2", "S1", "MC", "M2", "M1", "SC"]
    assert "J purple" not in game.legal()
    assert refused(game, "J purple") == "DW-8.3"
    assert refused(game, "W 2<@3") == "DW-8.3"
    game.play("W 2<@2")
    assert game.result is not None
    assert (game.result.end, game.result.winners) == ("conquest", [SUN])
    game = position(trees={"M2": "m2<"}, hands={"sun": "s2<"}, options={"trees": 3, "moon_row": "mirrored"})
    assert game.view()["oval"] == ["S3", "S2", "S1", "MC", "M1", "M2", "M3", "SC"]
    game.play("W 2<@3")
    assert dancers(game) == [("M2", "S3")]


# --- 9 What each player may know -----------------------------------------------------------------------------------


def table(**changes: str) -> Druidenwalzer:
    """A position with something hidden everywhere."""
    return position(
        trees={
            "S1": changes.get("down", "s4<? s5>? ") + "s1< m2< s3<",
            "M2": "m4> m5<",
        },
        hands={"sun": "s1< s2< -", "moon": changes.get("hand", "m1< s3> m4<")},
        cults={"sun": "s5< m1>", "moon": "m2<"},
        piles={"sun": changes.get("sun_pile", "s1> s2>"), "moon": changes.get("moon_pile", "m3< m3> m5<")},
        tokens={"M3": 4},
    )


def test_what_is_open() -> None:
    """DW-9.1: tops, sizes, tokens, druids, cult boards with every card, for both players and spectators alike."""
    game = table()
    for watcher in (SUN, MOON, SPECTATOR):
        view = game.view(watcher)
        trees = {tree["name"]: tree for tree in view["trees"]}
        assert (trees["S1"]["top"], trees["S1"]["cards"], trees["S1"]["down"]) == ("s3<", 5, 2)
        assert (trees["M2"]["top"], trees["M2"]["cards"]) == ("m5<", 2)
        assert trees["M3"]["tokens"] == 4
        assert trees["M3"]["druid"] == "black"
        assert view["cult"] == {"sun": ["m1>", "s5<"], "moon": ["m2<"]}
        assert view["pile"] == {"sun": 2, "moon": 3}
        assert [len([card for card in view["hand"][seat] if card]) for seat in ("sun", "moon")] == [2, 3]
        assert view["turn"] == "sun"


def test_what_is_hidden() -> None:
    """DW-9.2: face-down and covered cards, the other's hand and the piles; a spectator sees no hand at all."""
    game = table()
    assert game.view(SUN)["hand"] == {"sun": ["s1<", "s2<", None], "moon": ["?", "?", "?"]}
    assert game.view(MOON)["hand"] == {"sun": ["?", "?", None], "moon": ["m1<", "s3>", "m4<"]}
    assert game.view(SPECTATOR)["hand"] == {"sun": ["?", "?", None], "moon": ["?", "?", "?"]}
    for watcher in (SUN, MOON, SPECTATOR):
        assert all(tree["covered"] == [] for tree in game.view(watcher)["trees"])


def test_the_memory_aid() -> None:
    """DW-9.2: it shows covered cards that were seen, and nothing that lies face down."""
    trees = {tree["name"]: tree for tree in table().view(SUN, memory=True)["trees"]}
    assert trees["S1"]["covered"] == ["?", "?", "s1<", "m2<"]
    assert trees["M2"]["covered"] == ["m4>"]
    everything = {tree["name"]: tree for tree in table().view(OPEN)["trees"]}
    assert everything["S1"]["covered"] == ["s4<", "s5>", "s1<", "m2<"]


@pytest.mark.parametrize("memory", [False, True])
def test_hidden_cards_make_no_difference(memory: bool) -> None:
    """DW-9.2: tables that differ in hidden cards alone look the same, and so does what is told of a move that reveals none of them."""
    one, other = table(), table(down="s5>? s4<? ", hand="m4< m1< s3>", sun_pile="s2> s1>", moon_pile="m5< m3< m3>")
    assert one.view(SUN, memory=memory) == other.view(SUN, memory=memory)
    assert one.view(SPECTATOR, memory=memory) == other.view(SPECTATOR, memory=memory)
    for game in (one, other):
        game.play("R @1")
    assert one.events(SUN, since=1) == other.events(SUN, since=1)
    assert one.view(SUN, memory=memory) == other.view(SUN, memory=memory)


def test_drawn_cards_are_told_to_their_owner_alone() -> None:
    """DW-9.2: everybody sees that cards are drawn, and how many; everything shown is told to all."""
    game = position(hands={"sun": "s5<"}, piles={"sun": "s1< s2< s3<"})
    game.play("R 5<")
    for watcher in (SUN, MOON, SPECTATOR):
        events = game.events(watcher, since=1)
        drawn = [event["card"] for event in events if event["kind"] == "drawn"]
        assert drawn == (["s1<", "s2<", "s3<"] if watcher == SUN else [None] * 3)
        assert [event["card"] for event in events if event["kind"] == "retreated"] == ["s5<"]
        assert not [event for event in events if event["kind"] == "order"]


def test_what_was_shown_is_remembered() -> None:
    """DW-9.1, DW-9.2: in a whole game the memory aid knows exactly the covered cards that lay open once."""
    game = set_up(Druidenwalzer.new(seed=21))
    for n in range(40):
        if game.over:
            break
        game.play(game.legal()[n * 7 % len(game.legal())])
        for watcher in (SUN, MOON, SPECTATOR):
            for tree in game.view(watcher, memory=True)["trees"]:
                stack = cards(game, tree["name"]).split()
                assert tree["covered"] == ["?" if card.endswith("?") else card for card in stack[:-1]]
                assert tree["top"] == (stack[-1] if stack else None)


# --- 10 An example, decisions and notation -------------------------------------------------------------------------


def test_the_golden_case() -> None:
    """DW-10.1: Sun plays a clockwise 5 at S4."""
    game = position(
        trees={
            "S4": "s2<", "S3": "s1>", "S1": "s3<", "S2": "s2>",
            "M4": "m3>? m5>", "M3": "m3<", "M2": "m4<? m5<", "M1": "m2<",
        },
        druids={"sun": "purple@4 orange@3 black@1", "moon": "orange@4 black@3 purple@2"},
        hands={"sun": "s5< s1< s1>", "moon": "m1< m1> m2<"},
        cults={"moon": "m5<"},
    )  # fmt: skip
    game.play("W 5<@4")
    assert dancers(game) == [("M4", "SC"), ("M2", "S3")]
    assert meetings(game) == ["orange", "black"]
    assert cult(game, "sun") == "m5< m5>"
    assert cult(game, "moon") == "m5<"
    assert cards(game, "S3") == "s1>"
    assert cards(game, "M4") == "m3>"
    assert cards(game, "M2") == "m4<"
    assert {name: tokens(game, name) for name in TREES if tokens(game, name)} == {"M4": 1}
    assert ring(game) is None
    assert on_turn(game) == "moon"


def test_forced_decisions_are_not_asked() -> None:
    """DW-10.2: one card in hand, one standing tree, and it is empty: the waltz is played at once."""
    game = position(
        trees={"M1": "", "S1": "s5<"},
        lost="M2",
        hands={"sun": "s3< s4<", "moon": "m2<"},
        piles={"moon": "m1< m1> m5<"},
        options={"trees": 2},
    )
    game.play("R 3<")
    assert on_turn(game) == "sun"
    assert [event["seat"] for event in told(game, "played")] == ["moon"]
    assert cards(game, "M1") == "m2<"


def test_look_alikes_are_one_move_but_asked() -> None:
    """DW-10.2: two look-alikes are offered once, from the lowest place; that it is asked tells nothing about the hand."""
    game = position(
        trees={"M1": ""},
        lost="M2",
        hands={"sun": "s3< s4<", "moon": "- m2< m2<"},
        options={"trees": 2},
    )
    game.play("R 3<")
    assert on_turn(game) == "moon"
    assert game.legal() == ["W 2<@1"]
    assert game.why_not("W 2<@1") is None
    assert [event["place"] for event in [*game.play("W 2<@1")] if event["kind"] == "played"] == [2]
    game = position(hands={"sun": "s3< s3< m3<"})
    assert game.legal().count("W 3<@1") == 1
    assert game.legal().count("R 3<") == 1
    assert "W m3<@1" in game.legal()


def test_places_of_a_hand_are_public() -> None:
    """DW-10.2: everybody is told from which place a card came, and the other places stay what they were."""
    game = position(hands={"sun": "s3< s4< s5<", "moon": "m1<"})
    game.play("W 4<@1")
    assert [event["place"] for event in game.events(MOON, since=1) if event["kind"] == "played"] == [2]
    assert game.view(MOON)["hand"]["sun"] == ["?", None, "?"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("W 5<@4", "played"),
        ("w5<@4", "played"),
        ("  W   5< @ 4 ", "played"),
        ("W m3>@1", "played"),
        ("J black", "druid_moved"),
        ("j Black", "druid_moved"),
        ("R 5<", "retreated"),
        ("R s5<", "retreated"),
        ("R m3>", "retreated"),
        ("R @2", "retreated"),
    ],
)
def test_moves_as_text(text: str, kind: str) -> None:
    """DW-10.3: the notation of the three actions, and some freedom in writing it."""
    game = position(hands={"sun": "s5< m3>", "moon": "m1< m2<"})
    game.play(text)
    assert kinds(game)[0] == kind
    assert game.steps[-1].move in {"W 5<@4", "W m3>@1", "J black", "R 5<", "R m3>", "R @2"}


def test_set_up_moves_as_text() -> None:
    """DW-10.3: `1>`, `orange@3`; `<` is clockwise."""
    game = Druidenwalzer.new(seed=1)
    game.play("1>")
    game.play("1<")
    assert cult(game, "moon") == "m1>"
    assert cult(game, "sun") == "s1<"
    game.play("orange@3")
    assert druid(game, "M3") == "orange"
    game = both_fall()
    game.play("W 8<@3")
    game.play("C purple")
    assert meetings(game) == ["purple"]


@pytest.mark.parametrize("text", ["", "W", "W 5<", "W 5<@5", "W 0<@1", "J green", "R", "R @0", "C", "pass", "5<@4", "W 5<@4 !", "²"])
def test_texts_that_are_no_moves(text: str) -> None:
    """DW-10.3: refused with a reason, and nothing happens."""
    game = position(hands={"sun": "s5<"})
    assert refused(game, text) == "DW-10.3"
