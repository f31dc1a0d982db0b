"""The rules of Celtica, one by one. Each test names its rule.

It is long because it is read beside the text of the rules, in its order.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from drunemeton.rules.celtica import Celtica
from drunemeton.rules.celtica.play import place_of
from drunemeton.rules.celtica.state import SEATS, State
from drunemeton.rules.celtica.story import KIND_NAMES
from drunemeton.rules.errors import BadComponents, BadOption, IllegalMove

from .games import assert_conserved, canonical, dealt, path, play, settle

SUNS = "sun " * 9  # a display of one kind: nobody is asked what to take


def kinds(events: Any) -> Any:
    return [event["kind"] for event in events]


def told(game: Any, kind: str) -> Any:
    return [event for event in game.events() if event["kind"] == kind]


# --- 1 Components --------------------------------------------------------------------------------------------------


def test_ce_1_1_a_path_of_19_places() -> None:
    """CE-1.1: 19 places, the start among them; the number of parts belongs to the place."""
    places = Celtica.default_components()["places"]
    assert len(places) == 19
    assert places[0] == {"kind": "start", "parts": 0}
    assert places[18]["kind"] == "goal"
    assert {place["kind"] for place in places[1:18]} == {"cult", "village", "castle", "monastery", "ruin"}
    # The kind is a name only: a village may give three.
    game = play(dealt("v3 v1 v1 v1 v1 v1 v1 v1 1", "white red red red red"), "white 1")
    assert game.state.left == 3


def test_ce_1_2_every_place_says_where_it_comes_from() -> None:
    """CE-1.2: the default board is reconstructed, and fits what the sources tell."""
    places = Celtica.default_components()["places"]
    flags = Celtica.provenance()
    assert all(flags[f"places.{n}"]["status"] in {"sourced", "reconstructed"} and flags[f"places.{n}"]["note"] for n in range(19))
    assert flags["places.5"]["status"] == "reconstructed"
    assert [place["parts"] for place in places] == [0, 0, 1, 2, -2, 1, 2, 0, -2, -3, 3, 2, -2, 1, 0, -3, 3, 3, 4]
    assert [places[n]["kind"] for n in (7, 8, 9)] == ["cult", "ruin", "ruin"]
    assert max(place["parts"] for place in places) == places[18]["parts"]


def test_ce_1_3_sixty_druid_cards_and_twenty_experience_cards() -> None:
    """CE-1.3: twelve and four of each of five colours."""
    game = Celtica.new(seed=1)
    assert (game.components["druid_cards"], game.components["experience_cards"]) == (12, 4)
    assert_conserved(game.state, game.components)
    assert (game.state.pile_end[0], game.state.pile_end[1]) == (60, 20)


def test_ce_1_4_ninety_parts_of_nine_kinds() -> None:
    """CE-1.4: ten of each kind, the centres alike; a complete amulet has all nine."""
    game = Celtica.new(seed=1)
    assert game.state.supply_end == 90
    assert len(KIND_NAMES) == 9
    game.state.parts[0] = [1] * 9
    assert place_of(game.state, 0) == 1


# --- 2 Set-up ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_ce_2_1_all_druids_on_the_start(seats: Any) -> None:
    """CE-2.1: whatever the number of players."""
    assert Celtica.new(seed=3, seats=seats).state.druid == [0] * 5


def test_ce_2_2_the_deal() -> None:
    """CE-2.2: five cards seat by seat from the first player, nine parts open, then two parts each."""
    game = dealt(
        hands="white white white white white / red red red red black",
        display=SUNS,
        parts="moon moon / star star / oak",
        options={"first_player": 1},
    )
    state = canonical(game)
    assert state["hands"] == [["red"] * 4 + ["black"], ["white"] * 5]
    assert state["display"] == {"sun": 9}
    assert state["parts"] == [{"star": 2}, {"moon": 2}]
    assert state["supply"][0] == "oak"
    assert (len(state["pile"]), len(state["experience_pile"]), len(state["supply"])) == (50, 20, 77)
    assert (state["round"], state["starter"], state["turn"]) == (1, 1, 1)


def test_ce_2_3_the_first_player_is_drawn() -> None:
    """CE-2.3: by lot, each seat as likely as any other."""
    starts = [Celtica.new(seed=seed, seats=4).state.starter for seed in range(160)]
    assert all(22 < starts.count(seat) < 60 for seat in range(4))
    assert ("seats", 4) in [(pile, len(cards)) for pile, cards in Celtica.new(seed=1, seats=4).orders()[0]]


# --- 3 The turn ----------------------------------------------------------------------------------------------------


def test_ce_3_0_what_leaves_no_choice_is_not_asked() -> None:
    """CE-3.0: a display of one kind gives itself, a last card plays itself."""
    game = dealt(hands="white white white white white / red red red red red", display=SUNS, parts_per_kind=14)
    play(game, "white 4")
    assert (game.to_move, game.state.parts[0][0]) == (1, 3)
    assert game.legal() == ["red 1", "red 2", "red 3", "red 4", "red 5"]
    play(game, "red 4")
    # Ulster's last card played itself.
    assert [event["seat"] for event in told(game, "played")] == ["ulster", "connacht", "ulster"]
    assert game.state.hand_size[0] == 0


def test_ce_3_0_whether_one_is_asked_can_be_seen_from_outside() -> None:
    """CE-3.0: two cards that look alike are asked for, since the others cannot know that they do."""
    game = dealt(hands="white white white red red / red red red red red")
    settle(play(game, "white 3"))
    settle(play(game, "red 3"))
    assert game.to_move == 0
    assert game.legal() == ["red 1", "red 2"]


def test_ce_3_0_of_look_alikes_the_lowest_place_is_played() -> None:
    """CE-3.0: and the hand closes up."""
    game = dealt(hands="red white red black red / white white white white white", display=SUNS)
    play(game, "red 2")
    assert canonical(game)["hands"][0] == ["white", "black", "red"]
    assert [event["place"] for event in told(game, "laid")] == [3, 1]


def test_ce_3_1_one_colour_at_least_one_card() -> None:
    """CE-3.1: any number of druid cards and experience cards of one colour."""
    game = dealt("r1 v1 v1 v1 v1 v1 v1 v1 1", "red white white black black / grey grey grey grey grey", experience="white red")
    assert game.legal() == ["white 1", "white 2", "red 1", "black 1", "black 2"]
    with pytest.raises(IllegalMove) as refused:
        game.play("red 0")
    assert refused.value.reason.code == "ce.play_a_card"
    settle(play(game, "red 1"))
    settle(play(game, "grey 2"))
    assert game.legal() == ["white 0+1", "white 1", "white 1+1", "white 2", "white 2+1", "black 1", "black 2"]


def test_ce_3_2_experience_only_while_one_holds_a_druid_card() -> None:
    """CE-3.2: a druid card of any colour will do; without one the round is over for the player, and the cards are kept."""
    game = dealt("r1 v1 r1 v1 v1 v1 v1 v1 1", "red white white white white / grey grey grey grey black", experience="black")
    settle(play(game, "red 1"))
    settle(play(game, "grey 2"))
    assert "black 0+1" in game.legal()
    settle(play(game, "white 4"))
    # Ulster holds a black experience card and no druid card: Connacht plays on alone.
    assert canonical(game)["experience"][0] == ["black"]
    assert game.to_move == 1
    settle(play(game, "grey 2"))
    assert game.state.round == 2
    assert canonical(game)["experience"][0] == ["black"]


def test_ce_3_2_a_card_won_this_turn_serves_from_the_next() -> None:
    """CE-3.2: the ruin's card comes after the play."""
    game = dealt("r1 v1 v1 v1 v1 v1 v1 v1 1", "red red white white white / grey grey grey grey grey", experience="red")
    assert "red 1+1" not in game.legal()
    settle(play(game, "red 1"))
    assert game.to_move == 1
    settle(play(game, "grey 2"))
    assert "red 1+1" in game.legal()


def test_ce_3_2_the_last_druid_card_may_be_among_them() -> None:
    """CE-3.2: one druid card and experience cards of its colour, and then the player is out of the round."""
    game = dealt(
        "r1 v1 v1 v1 v1 v1 v1 v1 1",
        "red white white white white / grey grey grey grey black",
        experience="white",
        display=SUNS,
        parts="sun sun / sun sun",
        parts_per_kind=14,
    )
    play(game, "red 1")  # the ruin: one part is given, the white experience card is drawn
    assert canonical(game)["experience"][0] == ["white"]
    play(game, "grey 4", "white 3")
    # The black card plays itself. One druid card and one experience card: alone or together, also the experience card by itself.
    assert game.legal() == ["white 0+1", "white 1", "white 1+1"]
    settle(play(game, "white 1+1"))
    assert game.state.round == 2
    assert canonical(game)["experience_discard"] == ["white"]


def test_ce_3_3_one_place_for_each_card() -> None:
    """CE-3.3: only where he stops something happens; druids may share a place."""
    game = dealt("r9 r9 v2 r9 r9 r9 r9 r9 r9 r9 3", "white white white red red / red red red white black")
    play(game, "white 3")
    walked = told(game, "walked")[-1]
    assert (walked["from"], walked["to"], walked["lost"]) == (0, 3, 0)
    assert (game.state.phase, game.state.left, game.state.given_size) == (2, 2, 0)
    settle(game)
    play(game, "red 3")
    assert game.state.druid[:2] == [3, 3]


def test_ce_3_3_steps_beyond_the_goal_are_lost() -> None:
    """CE-3.3: he stops on the goal, which acts as usual."""
    game = dealt("r9 r9 v2 r9 r9 r9 r9 r9 r9 r9 3", "white white white red red / red red red white black")
    game.state.druid[0] = 10
    play(game, "white 3")
    assert (game.state.druid[0], told(game, "walked")[-1]["lost"]) == (11, 2)
    assert (game.state.phase, game.state.left) == (2, 3)


def test_ce_3_4_cards_of_a_druid_at_the_goal() -> None:
    """CE-3.4: any number of one colour is discarded, and nothing happens."""
    game = dealt(hands="white white white red red / white white black black black")
    game.state.druid[0], game.state.home = 9, 1
    before = canonical(game)
    events = play(game, "white 3").events()
    assert kinds(events)[-2:] == ["stayed", "turn"]
    after = canonical(game)
    assert (after["parts"], after["display"], after["druids"]) == (before["parts"], before["display"], before["druids"])
    assert after["discard"] == ["white"] * 3
    assert (game.to_move, "white 2" in game.legal()) == (1, True)


def test_ce_3_5_played_cards_are_discarded_before_the_place_acts() -> None:
    """CE-3.5: a cult place may even bring back the card that led there; each deck has its own open pile."""
    game = dealt("c v1 v1 v1 v1 v1 v1 v1 1", "white white red grey brown / red grey brown black black", druid_cards=2)
    play(game, "white 1")
    assert canonical(game)["discard"] == ["white"]
    play(game, "draw")
    assert canonical(game)["hands"][0] == ["white", "red", "grey", "brown", "white"]


def test_ce_3_6_next_is_who_holds_druid_cards() -> None:
    """CE-3.6: players without druid cards are passed over; the last one plays on alone."""
    game = dealt(hands="white white white white white / red red red red red / grey grey black black brown", seats=3)
    settle(play(game, "white 5"))
    settle(play(game, "red 5"))
    assert [event["seat"] for event in told(game, "turn")] == ["ulster", "connacht", "leinster"]
    settle(play(game, "grey 1"))
    assert game.to_move == 2
    settle(play(game, "black 1"))
    assert (game.to_move, game.state.round) == (2, 1)


def test_ce_3_7_a_turn_never_adds_to_a_hand() -> None:
    """CE-3.7: at most 25 cards in all, though a cult place may bring a sixth druid card."""
    game = dealt("r1 c v1 v1 v1 v1 v1 v1 1", "red red red red red / grey grey grey grey brown", experience="white")
    game.state.hand[SEATS][0] = game.state.hand_size[SEATS] = game.state.held[SEATS][0] = 1
    game.state.druid[0] = 1
    play(game, "white 0+1", "draw")
    assert game.state.hand_size[0] == 6
    rng = random.Random(1)
    for seed in range(4):
        game = Celtica.new(seed=seed, seats=5)
        while not game.over:
            game.play(rng.choice(game.legal()))
            assert all(game.state.hand_size[seat] + game.state.hand_size[SEATS + seat] <= 25 for seat in range(5))


# --- 4 The places --------------------------------------------------------------------------------------------------


def test_ce_4_1_find_spot() -> None:
    """CE-4.1: as many parts as it shows, one by one from the display as it lies; then it is refilled to nine."""
    game = dealt(
        "b2 v1 v1 v1 v1 v1 v1 v1 1",
        "white red red red red / grey grey grey grey grey",
        display="sun sun moon star oak stag raven wave flame",
        parts="centre centre / centre centre / centre centre",
    )
    play(game, "white 1")
    assert (canonical(game)["phase"], canonical(game)["left"]) == ("take", 2)
    assert "take centre" not in game.legal()
    play(game, "take sun")
    assert (sum(game.state.display), canonical(game)["left"]) == (8, 1)  # nothing is refilled in between
    play(game, "take sun")
    state = canonical(game)
    assert state["parts"][0] == {"centre": 2, "sun": 2}
    assert state["display"] == {"moon": 1, "star": 1, "oak": 1, "stag": 1, "raven": 1, "wave": 1, "flame": 1, "centre": 2}
    assert (state["phase"], state["turn"]) == ("play", 1)


def test_ce_4_1_all_if_the_display_holds_fewer() -> None:
    """CE-4.1: nine parts in the whole game, and a place that gives all of them."""
    game = dealt(
        "m9 v5 v1 v1 v1 v1 v1 v1 1", "white white red red red / grey grey grey grey grey", parts_per_kind=1, options={"ask_order": True}
    )
    play(game, "white 2")
    for n in range(5):
        assert game.state.left == 5 - n
        play(game, game.legal()[0])
    assert game.state.shown == 4
    play(game, "grey 1")
    assert game.state.left == 4


def test_ce_4_2_ruin() -> None:
    """CE-4.2: give up freely chosen parts, then draw an experience card; the display is not refilled."""
    game = dealt(
        "r2 v1 v1 v1 v1 v1 v1 v1 1",
        "white red red red red / grey grey grey grey grey",
        experience="black",
        parts="sun moon / star star",
        options={"ask_order": True},
    )
    shown = canonical(game)["display"]
    play(game, "white 1")
    assert game.legal() == ["give sun", "give moon"]
    play(game, "give moon")
    state = canonical(game)  # the last part left no choice
    assert (state["given"], state["parts"][0], state["experience"][0]) == (["moon", "sun"], {}, ["black"])
    assert state["display"] == shown


def test_ce_4_2_fewer_parts_or_none() -> None:
    """CE-4.2: all if fewer, none if none; the experience card comes all the same."""
    game = dealt(
        "r9 r1 v1 v1 v1 v1 v1 v1 1",
        "white white red red red / grey grey grey grey grey",
        experience="black red",
        display=SUNS,
        parts="moon moon / star star",
    )
    play(game, "white 1")
    assert canonical(game)["given"] == ["moon", "moon"]
    play(game, "grey 3", "white 1")
    assert canonical(game)["experience"][0] == ["black", "red"]
    assert canonical(game)["given"] == ["moon", "moon"]


def test_ce_4_3_cult_place() -> None:
    """CE-4.3: one may draw, unseen; the card comes to the end of the hand."""
    game = dealt("c v1 v1 v1 v1 v1 v1 v1 1", "white red red red red / grey grey grey grey grey / black")
    play(game, "white 1")
    assert game.legal() == ["draw", "no"]
    play(game, "draw")
    assert canonical(game)["hands"][0] == ["red"] * 4 + ["black"]
    game = dealt("c v1 v1 v1 v1 v1 v1 v1 1", "white red red red red / grey grey grey grey grey / black")
    play(game, "white 1", "no")
    assert canonical(game)["hands"][0] == ["red"] * 4
    assert kinds(game.events())[-2:] == ["declined", "turn"]


def test_ce_4_3_a_drawn_card_brings_a_player_back_into_the_round() -> None:
    """CE-4.3: it must be played this round, also by one who had just played his last."""
    game = dealt("v1 v1 v1 v1 c v1 v1 v1 1", "white white white white white / red red red red red / black")
    play(game, "white 5", "draw", "red 5", "no")
    # The black card was Ulster's only one, so it played itself.
    assert [(event["seat"], event["colour"]) for event in told(game, "played")][2:] == [("ulster", "black")]
    assert game.state.druid[4] == 1
    assert game.state.round == 1
    settle(game)
    assert game.state.round == 2


def test_ce_4_4_a_pile_is_renewed_only_when_something_must_be_drawn() -> None:
    """CE-4.4: from the discard pile, the cards just played among them."""
    game = dealt(
        "c v1 v1 v1 v1 v1 v1 v1 1",
        "white white red grey brown / red grey brown black black",
        druid_cards=2,
    )
    assert canonical(game)["pile"] == []
    play(game, "white 1")
    assert not game.orders()[-1]  # nothing is shuffled before somebody draws
    play(game, "draw")
    assert game.orders()[-1] == [("druid", [1])]
    assert canonical(game)["hands"][0] == ["white", "red", "grey", "brown", "white"]
    assert (canonical(game)["discard"], canonical(game)["pile"]) == ([], [])


def test_ce_4_4_nothing_to_renew_from() -> None:
    """CE-4.4: nothing is drawn; a cult place is not even asked, and a ruin brings no card."""
    game = dealt("r1 c v1 v1 v1 v1 v1 v1 1", "white red red grey grey / white brown brown black black", druid_cards=2, experience_cards=0)
    settle(play(game, "white 1"))
    assert told(game, "nothing_left")[-1]["deck"] == "experience"
    assert game.state.hand_size[SEATS] == 0
    game = dealt("r1 c v1 v1 v1 v1 v1 v1 1", "white red red grey grey / white brown brown black black", druid_cards=2)
    game.state.held[SEATS][1] = game.state.hand_size[SEATS] = 1
    game.state.hand[SEATS][0] = 2
    game.state.druid[1] = 1
    play(game, "red 0+1")  # onto the cult place without a druid card played: no discard pile, no question
    assert told(game, "nothing_left")[-1]["deck"] == "druid"
    assert game.to_move == 1


def test_ce_4_4_a_short_display_waits_for_a_later_refill() -> None:
    """CE-4.4: given-up parts fill it again only when a find spot was entered."""
    game = dealt("b3 r2 v1 v1 v1 v1 v1 v1 1", "white white red red grey / grey black brown brown black", parts_per_kind=1)
    settle(play(game, "white 1"))
    assert (game.state.shown, game.state.given_size) == (6, 0)
    settle(play(game, "grey 1"))
    assert game.state.shown == 3
    settle(play(game, "white 1"))
    assert (game.state.shown, game.state.given_size) == (3, 2)
    settle(play(game, "black 1"))
    assert (game.state.shown, game.state.given_size) == (2, 0)
    assert [pile for pile, _ in game.orders()[-1]] == ["parts"]


# --- 5 Rounds ------------------------------------------------------------------------------------------------------


def test_ce_5_1_the_round_ends_when_nobody_holds_druid_cards() -> None:
    """CE-5.1: after the place has acted; experience cards are kept."""
    game = dealt("v1 v1 v1 v1 r1 v1 v1 v1 1", "white white white white white / red red red red red", experience="black grey")
    settle(play(game, "white 5"))
    assert game.state.round == 1
    settle(play(game, "red 5"))
    assert game.state.round == 2
    assert canonical(game)["experience"] == [["black"], ["grey"]]


def test_ce_5_2_a_new_round() -> None:
    """CE-5.2: five new cards each, from the left neighbour of whoever made the last play; the deal may renew the pile on the way."""
    game = dealt(hands="white white white white white / red red red red red / grey grey grey grey grey", seats=3, druid_cards=5)
    for move in ("white 5", "red 5", "grey 2", "grey 3"):
        settle(play(game, move))
    assert (game.state.round, game.state.starter, game.to_move) == (2, 0, 0)  # Leinster played last
    assert game.state.hand_size[:3] == [5, 5, 5]
    assert [pile for step in game.orders()[1:] for pile, _ in step] == ["druid"]
    assert (game.state.pile_end[0] - game.state.pile_at[0], game.state.discard_size[0]) == (10, 0)
    assert [event["seat"] for event in told(game, "dealt")][-15:] == ["ulster"] * 5 + ["connacht"] * 5 + ["leinster"] * 5


# --- 6 The end -----------------------------------------------------------------------------------------------------


def ending(**more: Any) -> Any:
    """White and red one step before the goal, a hand each of two colours."""
    game = dealt(hands="white white red red red / red white white white white", display=SUNS, **more)
    game.state.druid = [8, 7, 0, 0, 0]
    return game


def test_ce_6_1_a_druid_at_the_goal_when_the_round_ends() -> None:
    """CE-6.1: the round is played to its end, then the game is over; also when he arrives with the last play."""
    game = ending()
    play(game, "white 1")
    settle(game)
    assert game.state.home == 1
    assert not game.over
    assert [event["colour"] for event in told(game, "last_round")] == ["white"]
    assert game.view(0)["last_round"]
    while not game.over:
        play(game, game.legal()[0])
    assert game.result is not None
    assert game.result.end == "goal"
    assert game.state.round == 1
    late = dealt(hands="red red red red red / white white white white white", display=SUNS)
    late.state.druid = [4, 0, 0, 0, 0]
    play(late, "red 5")
    while late.state.phase != 0:
        play(late, late.legal()[0])
    play(late, "white 5")
    while not late.over:
        play(late, late.legal()[0])
    assert late.state.round == 1


def test_ce_6_2_at_once_when_all_druids_are_at_the_goal() -> None:
    """CE-6.2: after the goal has acted; all druid cards are discarded, in the open."""
    game = ending()
    game.state.druid = [8, 9, 9, 9, 9]
    game.state.home = 4
    play(game, "white 1")
    while not game.over:
        play(game, game.legal()[0])
    assert game.result is not None
    assert game.result.end == "all_home"
    assert canonical(game)["hands"] == [[], []]
    assert len(told(game, "discarded")) == 9
    assert len(canonical(game)["discard"]) == 10
    assert game.state.parts_size[0] == 3  # the arriving player took a part


def test_ce_6_2_at_once_when_no_parts_are_left() -> None:
    """CE-6.2: display, supply and given-up pile all empty; given-up parts count as supply. Checked before CE-5.1."""
    game = dealt("m9 v1 v1 v1 v1 v1 v1 v1 1", "white red red red red / grey black black black black", parts_per_kind=1)
    play(game, "white 1")
    while not game.over:
        play(game, game.legal()[0])
    assert game.result is not None
    assert (game.result.end, game.state.parts_size[0]) == ("parts", 9)
    saved = dealt("r1 m9 v1 v1 v1 v1 v1 v1 1", "white red red red red / grey grey black black black", parts_per_kind=1)
    saved.state.parts[0][0] = saved.state.parts_size[0] = 1
    saved.state.display[0] -= 1
    saved.state.shown -= 1
    play(saved, "white 1", "grey 2")
    while saved.state.phase == 2:
        play(saved, saved.legal()[0])
    assert not saved.over
    assert saved.state.shown == 1  # the part given up


def test_ce_6_2_both_at_once_is_all_home() -> None:
    """CE-6.2: the fifth druid arrives and takes the last parts."""
    game = dealt("v1 v1 v1 v1 v1 v1 v1 v1 9", "white red red red red / grey black black black black", parts_per_kind=1)
    game.state.druid = [8, 9, 9, 9, 9]
    game.state.home = 4
    play(game, "white 1")
    while not game.over:
        play(game, game.legal()[0])
    assert game.result is not None
    assert game.result.end == "all_home"


def trading(cards: str = "red white white", **more: Any) -> Any:
    """The last druid arrives by Ulster's play; Connacht, Leinster and Ulster may trade, in this order."""
    game = dealt(
        hands="white red red red red / grey grey grey grey grey / black black black black black",
        seats=3,
        display="sun sun moon moon star star oak oak stag",
        parts="moon moon / wave raven / raven raven / flame flame",
        **more,
    )
    s = game.state
    s.druid, s.home = [8, 9, 9, 9, 9], 4
    for n, name in enumerate(cards.split()):
        colour = ("white", "red", "grey", "brown", "black").index(name)
        s.hand[SEATS + 1][n] = 1 + colour
        s.held[SEATS + 1][colour] += 1
        s.hand_size[SEATS + 1] += 1
    play(game, "white 1", "take stag")
    return game


def test_ce_6_3_swap_take_stop() -> None:
    """CE-6.3: one card swaps, two take; from the left neighbour of the last player, as often as one can pay."""
    game = trading()
    assert (game.to_move, canonical(game)["phase"]) == (1, "experience")
    moves = game.legal()
    assert "swap wave sun" in moves
    assert "take oak" in moves
    assert "stop" in moves
    assert "take wave" not in moves
    play(game, "swap wave sun")
    assert canonical(game)["parts"][1] == {"raven": 1, "sun": 1}
    assert canonical(game)["display"]["wave"] == 1  # the own part stays available
    assert canonical(game)["experience"][1] == ["red", "white"]  # white before red, the lowest place first
    play(game, "take wave")
    assert canonical(game)["parts"][1] == {"raven": 1, "sun": 1, "wave": 1}
    # Nothing to pay with any more: the others are skipped, and the game is over.
    assert game.over
    assert [event["seat"] for event in told(game, "skipped")] == ["leinster", "ulster"]


def test_ce_6_3_the_display_is_refilled_after_each_player() -> None:
    """CE-6.3: not before the first; also after one who is skipped. The goal's own refill is CE-4.1."""
    game = trading()
    assert game.state.shown == 9
    play(game, "take oak")
    assert game.state.shown == 8
    play(game, "stop")
    assert game.over
    assert game.state.shown == 9
    assert canonical(game)["experience"][1] == ["red"]


def test_ce_6_3_a_swap_needs_another_kind() -> None:
    """CE-6.3: with one card, parts and display of the same single kind leave nothing to do."""
    game = dealt(hands="white red red red red / grey grey grey grey grey", parts_per_kind=1)
    s = game.state
    s.druid, s.home = [8, 9, 9, 9, 9], 4
    s.display, s.shown = [2] + [0] * 8, 2
    s.parts[1] = [1] + [0] * 8
    s.parts_size[1] = 1
    s.hand[SEATS + 1][0], s.hand_size[SEATS + 1] = 1, 1
    s.held[SEATS + 1][0] = 1
    s.hand[SEATS][0], s.hand_size[SEATS] = 1, 1
    s.held[SEATS][0] = 1
    play(game, "white 1")  # takes a sun; then both have nothing but suns
    assert game.over


@pytest.mark.parametrize("seed", range(3))
def test_ce_6_4_the_golden_case(seed: int) -> None:
    """CE-6.4: A = 2 complete + 7 + 4, B = 2 complete + 8, C = 3 complete: C, B, A."""
    s = State()
    s.seats = 3
    seats = [0, 1, 2]
    random.Random(seed).shuffle(seats)
    a, b, c = seats
    s.parts[a] = [4, 4, 4, 4, 3, 3, 3, 2, 2]
    s.parts[b] = [3] * 8 + [2]
    s.parts[c] = [3] * 9
    assert [place_of(s, seat) for seat in (c, b, a)] == [1, 2, 3]


def test_ce_6_4_ties_share_a_place_and_skip_the_next() -> None:
    """CE-6.4: also a missing amulet counts 0."""
    s = State()
    s.seats = 4
    s.parts[0] = [1, 1, 1, 0, 0, 0, 0, 0, 0]
    s.parts[1] = [0, 0, 1, 1, 1, 0, 0, 0, 0]
    s.parts[2] = [2, 1, 1, 0, 0, 0, 0, 0, 0]
    s.parts[3] = [1, 1, 0, 0, 0, 0, 0, 0, 0]
    assert [place_of(s, seat) for seat in range(4)] == [2, 2, 1, 4]


def test_ce_6_5_no_turn_begins_with_an_empty_display() -> None:
    """CE-6.5: rounds and turns have bounds, on the default board and on others."""
    rng = random.Random(5)
    for seed in range(12):
        seats = 2 + seed % 4
        components = Celtica.default_components()
        if seed % 3:
            components["places"] = path(" ".join(rng.choice(["v1", "b2", "m9", "r1", "r9", "c"]) for _ in range(rng.randint(8, 38))) + " 4")
        game = Celtica.new(seed=seed, seats=seats, components=components)
        places = len(components["places"])
        while not game.over:
            if game.state.phase == 0:
                assert game.state.shown > 0
            game.play(rng.choice(game.legal()))
            assert_conserved(game.state, components)
        assert game.state.round <= (places - 2) // seats + 1
        assert len(told(game, "turn")) <= 5 * (places - 1) + 5 * seats + 20


# --- 7 and 8 -------------------------------------------------------------------------------------------------------


def test_ce_7_1_what_everybody_sees() -> None:
    """CE-7.1: the spectator's view tells all that is public; the log what was given up."""
    game = dealt("r2 v1 v1 v1 v1 v1 v1 v1 1", "white red red red red / grey grey grey grey grey", parts="sun moon / star star", seats=2)
    play(game, "white 1")
    view = game.view()
    state = canonical(game)
    assert view["druids"] == state["druids"]
    assert view["display"] == state["display"]
    assert [player["parts"] for player in view["players"]] == state["parts"]
    assert [len(player["hand"]) for player in view["players"]] == [4, 5]
    assert [len(player["experience"]) for player in view["players"]] == [1, 0]
    assert (view["supply"], view["pile"]) == (77, {"druid": 50, "experience": 19})
    assert view["discard"] == {"druid": {"white": 1}, "experience": {}}
    assert view["given"] == {"sun": 1, "moon": 1}
    assert [event["part"] for event in told(game, "given")] == ["sun", "moon"]


def test_ce_7_2_what_is_hidden() -> None:
    """CE-7.2: others' cards and all face-down piles; a drawn card is seen by the drawer alone."""
    game = dealt("c v1 v1 v1 v1 v1 v1 v1 1", "white red red red red / grey grey grey grey grey / black")
    play(game, "white 1", "draw")
    assert game.view(0)["players"][0]["hand"] == ["red"] * 4 + ["black"]
    assert game.view(0)["players"][1]["hand"] == ["?"] * 5
    assert game.view(1)["players"][0]["hand"] == ["?"] * 5
    drawn = [[event["card"] for event in game.events(watcher) if event["kind"] == "dealt"][-1] for watcher in (0, 1, 14)]
    assert drawn == ["black", None, None]
    assert game.view(0)["unseen"]["druid"] == {"white": 11, "red": 8, "grey": 12, "brown": 12, "black": 11}


def test_ce_8_1_another_board() -> None:
    """CE-8.1: any list of places as data; every mistake names its entry."""

    def refused(entry: Any, **change: Any) -> None:
        with pytest.raises(BadComponents) as problem:
            Celtica.new(seed=1, components=Celtica.default_components() | change)
        assert problem.value.entry == entry
        assert entry in str(problem.value)

    good = path("v1 v1 v1 v1 v1 v1 v1 v1 1")
    assert Celtica.new(seed=1, components=Celtica.default_components() | {"places": good}).state.places == 10
    assert Celtica.new(seed=1, components=Celtica.default_components() | {"places": path("c " * 38 + "1")}).state.places == 40
    refused("places", places=path("v1 v1 v1 v1 v1 v1 v1 1"))
    refused("places", places=path("c " * 39 + "1"))
    refused("places", places="nine")
    refused("places.3", places=[*good[:3], "v1", *good[4:]])
    refused("places.3.kind", places=[*good[:3], {"kind": "harbour", "parts": 1}, *good[4:]])
    refused("places.3.kind", places=[*good[:3], {"parts": 1}, *good[4:]])
    refused("places.3.kind", places=[*good[:3], {"kind": "start", "parts": 0}, *good[4:]])
    refused("places.3.kind", places=[*good[:3], {"kind": "goal", "parts": 1}, *good[4:]])
    refused("places.0.kind", places=[*good[1:4], *good[1:]])
    refused("places.9.kind", places=[*good[:9], good[1]])
    refused("places.3.parts", places=[*good[:3], {"kind": "village", "parts": 0}, *good[4:]])
    refused("places.3.parts", places=[*good[:3], {"kind": "village", "parts": 10}, *good[4:]])
    refused("places.3.parts", places=[*good[:3], {"kind": "ruin", "parts": 1}, *good[4:]])
    refused("places.3.parts", places=[*good[:3], {"kind": "ruin", "parts": -10}, *good[4:]])
    refused("places.3.parts", places=[*good[:3], {"kind": "cult", "parts": 1}, *good[4:]])
    refused("places.3.parts", places=[*good[:3], {"kind": "village", "parts": True}, *good[4:]])
    refused("places.9.parts", places=[*good[:9], {"kind": "goal"}])
    refused("places.3.colour", places=[*good[:3], {"kind": "village", "parts": 1, "colour": "red"}, *good[4:]])
    refused("druid_cards", druid_cards=0)
    refused("druid_cards", druid_cards=16)
    refused("experience_cards", experience_cards=-1)
    refused("experience_cards", experience_cards="four")
    refused("parts_per_kind", parts_per_kind=15)
    refused("amulets", amulets=10)
    for entry in Celtica.default_components():
        short = Celtica.default_components()
        del short[entry]
        assert Celtica.new(seed=1, components=short).components == Celtica.default_components(), "what is not named is as printed"


def test_ce_8_2_set_first_player() -> None:
    """CE-8.2: instead of drawn; he must sit at the table."""
    assert [Celtica.new(seed=1, seats=3, options={"first_player": n}).to_move for n in range(3)] == [0, 1, 2]
    for wrong in (2, 5, -2, "0"):
        with pytest.raises(BadOption):
            Celtica.new(seed=1, seats=2, options={"first_player": wrong})


def test_ce_8_3_nobody_is_asked_the_order_of_what_goes_anyway() -> None:
    """CE-8.3, CE-3.0: all that one holds, or all that is shown; one part more or less on the table, and the question is real."""
    ruin: dict[str, Any] = {"board": "r2 v1 v1 v1 v1 v1 v1 v1 1", "hands": "white red red red red / grey grey grey grey grey"}
    asked = play(dealt(**ruin, parts="sun moon / star star", options={"ask_order": True}), "white 1")
    assert asked.legal() == ["give sun", "give moon"]
    silent = play(dealt(**ruin, parts="sun moon / star star"), "white 1")
    assert silent.to_move == 1
    assert canonical(silent)["given"] == ["moon", "sun"]
    assert [(reason.code, reason.forced) for reason in silent.because(1, 1) if reason.forced] == [("ce.all_given", True)]
    play(asked, "give moon")
    assert canonical(asked) == canonical(silent), "the order makes no difference"
    one_less = play(dealt(**{**ruin, "board": "r1 v1 v1 v1 v1 v1 v1 v1 1"}, parts="sun moon / star star"), "white 1")
    assert one_less.legal() == ["give sun", "give moon"]

    find: dict[str, Any] = {
        "board": "v5 m9 v1 v1 v1 v1 v1 v1 1",
        "hands": "white red red red red / grey grey grey grey grey",
        "parts_per_kind": 1,
    }
    taken = play(dealt(**find), "white 1")
    while taken.to_move == 0:
        play(taken, taken.legal()[0])
    assert (taken.state.shown, taken.to_move) == (4, 1)
    play(taken, "grey 2")
    assert taken.state.shown == 0
    assert "ce.all_taken" in [reason.code for reason in taken.because(0, len(taken.steps) - 1)]
    assert Celtica.described[1].former is True, "what was recorded before is asked as it was then"
