"""Celtica's moves as text, its reasons, and its views."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drunemeton.rules.celtica import Celtica, notation
from drunemeton.rules.celtica.state import ACTIONS, DRAW_CARD, DRAW_NONE, GIVE_PART, PLAY, SEATS, STOP, SWAP, TAKE_PART, State
from drunemeton.rules.celtica.story import COLOUR_NAMES, KIND_NAMES
from drunemeton.rules.errors import IllegalMove, Reason
from drunemeton.rules.kernel import OPEN, SPECTATOR

from .games import canonical, dealt, play, random_setup, settle


@given(st.integers(0, ACTIONS - 1), st.sampled_from(["", " ", "  \t"]), st.booleans())
def test_ce_3_0_every_action_has_a_text_that_reads_back(action: int, space: Any, upper: Any) -> None:
    """CE-3.0: however it is spaced and spelt."""
    text = notation.move_text(State(), action)
    text = f"{space}{text.upper() if upper else text}{space}".replace(" ", space or " ")
    assert notation.parse_move(State(), text) == action


@given(st.text(max_size=30))
def test_ce_3_0_no_text_breaks_the_reader(text: str) -> None:
    """CE-3.0: anything else gets a reason."""
    answer = notation.parse_move(State(), text)
    assert isinstance(answer, Reason) or 0 <= answer < ACTIONS


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_legal_moves_read_back_and_all_others_are_refused_with_a_rule(number: int) -> None:
    """In every position: each legal move reads back, each other action has a reason with a code and a rule of Celtica."""
    rng = random.Random(number)
    options, components = random_setup(rng, 2 + number % 4)
    game = Celtica.new(seed=number, seats=2 + number % 4, options=options, components=components)
    for _ in range(rng.randint(0, 60)):
        if not game.over:
            game.play(rng.choice(game.legal()))
    if game.over:
        return
    actions = game.actions()
    for action in range(ACTIONS):
        text = game.move_text(game.state, action)
        if action in actions:
            assert game.parse_move(game.state, text) == action
            assert game.why_not(action) is game.why_not(text) is None
        else:
            reason = game.refusal(game.state, action)
            assert reason.code.startswith("ce.")
            assert reason.rule is not None
            assert reason.rule.startswith("CE-")
            json.dumps(reason.params)


def why(game: Any, move: Any) -> Any:
    before = game.state.copy()
    with pytest.raises(IllegalMove) as refused:
        game.play(move)
    assert game.state == before
    reason = refused.value.reason
    return reason.code, reason.rule, reason.params


def test_reasons_of_texts() -> None:
    """What cannot be read, and what does not exist."""
    game = dealt(hands="white white red red black / grey grey grey grey grey")
    assert why(game, "dance")[:2] == ("ce.unreadable", "CE-3.0")
    assert "red 2+1" in why(game, "red two")[2]["examples"]
    assert why(game, "green 1") == ("ce.no_such_druid", "CE-1.3", {"colour": "green", "colours": list(COLOUR_NAMES)})
    for move in ("take bear", "give bear", "swap bear sun", "swap sun bear"):
        assert why(game, move) == ("ce.no_such_part", "CE-1.4", {"part": "bear", "parts": list(KIND_NAMES)})
    assert why(game, ACTIONS)[0] == "ce.no_such_action"
    assert why(game, -1)[0] == "ce.no_such_action"


def test_reasons_of_plays() -> None:
    """CE-3.1, 3.2: what the hand holds."""
    game = dealt(hands="white white red red black / grey grey grey grey grey")
    held = {"colour": "white", "druid": 2, "experience": 0}
    assert why(game, "white 3") == ("ce.too_few_druid_cards", "CE-3.1", held)
    assert why(game, "white 99") == ("ce.too_few_druid_cards", "CE-3.1", held)
    assert why(game, "white 1+1") == ("ce.too_few_experience_cards", "CE-3.2", held)
    assert why(game, "white 1+20") == ("ce.too_few_experience_cards", "CE-3.2", held)
    assert why(game, "white 0") == ("ce.play_a_card", "CE-3.1", held)
    for move in ("draw", "no", "take sun", "give sun", "swap sun moon", "stop"):
        assert why(game, move) == ("ce.play_first", "CE-3.1", {"colours": ["white", "red", "black"]})


def test_reasons_at_the_places() -> None:
    """CE-4.1 to 4.3: the question that is due."""
    game = dealt("v2 c r2 " + "v1 " * 5 + "1", "white white red red black / grey grey grey grey grey", parts="sun moon / oak oak")
    play(game, "white 1")
    parts = list(KIND_NAMES)
    for move in ("white 1", "white 30", "draw", "give sun", "swap sun moon", "stop"):
        assert why(game, move) == ("ce.take_first", "CE-4.1", {"left": 2, "parts": parts})
    play(game, "take sun")
    assert why(game, "take sun") == ("ce.not_in_display", "CE-4.1", {"part": "sun", "parts": parts[1:]})
    play(game, "take moon", "grey 2")
    for move in ("grey 1", "take sun", "stop"):
        assert why(game, move) == ("ce.draw_first", "CE-4.3", {"moves": ["draw", "no"]})
    play(game, "no", "red 2", "no", "grey 1")
    assert game.state.druid[2] == 3
    settle(game)
    game = dealt("r1 " + "v1 " * 7 + "1", "white white red red black / grey grey grey grey grey", parts="sun moon / oak oak")
    play(game, "white 1")
    assert why(game, "give oak") == ("ce.not_yours", "CE-4.2", {"part": "oak", "parts": ["sun", "moon"]})
    assert why(game, "take sun") == ("ce.give_first", "CE-4.2", {"left": 1, "parts": ["sun", "moon"]})


def trading(cards: Any) -> Any:
    """Connacht trades with so many white experience cards."""
    game = dealt(
        hands="white red red red red / grey grey grey grey grey",
        display="sun sun moon moon star star oak oak stag",
        parts="sun sun / sun wave",
    )
    s = game.state
    s.druid, s.home = [8, 9, 9, 9, 9], 4
    s.hand[SEATS + 1][:cards] = [1] * cards
    s.hand_size[SEATS + 1] = s.held[SEATS + 1][0] = cards
    return play(game, "white 1", "take stag")


def test_reasons_in_the_experience_phase() -> None:
    """CE-6.3: what must be held, paid for, and shown."""
    game = trading(1)
    assert why(game, "take sun") == ("ce.cannot_pay", "CE-6.3", {"held": 1, "needed": 2})
    assert why(game, "swap star moon")[0] == "ce.not_yours"
    shown = [name for name in KIND_NAMES if game.state.display[KIND_NAMES.index(name)]]
    assert why(game, "swap sun sun") == ("ce.same_kind", "CE-6.3", {"part": "sun", "parts": [name for name in shown if name != "sun"]})
    missing = next(name for name in KIND_NAMES if name not in shown and name != "sun")
    assert why(game, f"swap sun {missing}") == ("ce.not_in_display", "CE-6.3", {"part": missing, "parts": shown})
    for move in ("white 1", "white 30", "draw", "no", "give sun"):
        assert why(game, move) == ("ce.play_is_over", "CE-6.3", {"moves": ["take", "swap", "stop"]})
    game = trading(2)
    assert why(game, f"take {missing}") == ("ce.not_in_display", "CE-6.3", {"part": missing, "parts": shown})
    play(game, "stop")
    assert game.over
    reason = game.why_not("stop")
    assert reason is not None
    assert reason.code == "over"


def test_the_view_helps_to_see_consequences() -> None:
    """CE-9: where druids would stop, what is wanted and what can be spared, who still plays, the ranking."""
    game = dealt(
        "v1 r2 c r3 " + "v1 " * 4 + "5",
        "white white red red red / grey grey grey grey grey",
        parts="sun sun / oak oak",
        display="sun " * 4 + "moon " * 5,
    )
    game.state.druid[0] = 1
    game.knowledge[0].druid[0] = 1
    view = game.view(0)
    assert view["stops"]["white"] == [
        {"cards": 1, "place": 2, "kind": "ruin", "parts": -2, "takes": 0, "needs": 0, "loses": ["sun", "sun"]},
        {"cards": 2, "place": 3, "kind": "cult", "parts": 0, "takes": 0, "needs": 0, "loses": []},
    ]
    assert view["stops"]["black"] == []
    assert view["rests"] == {name: {"why": "no_card_of", "rule": "CE-3.1"} for name in ("grey", "brown", "black")}
    game.knowledge[0].druid[0] = game.state.places - 1
    assert game.view(0)["rests"]["white"] == {"why": "druid_at_goal", "rule": "CE-3.4"}
    assert game.view(0)["stops"]["white"] == []
    assert view["before_ruin"] == ["white"]
    assert view["wanted"] == ["moon"]
    assert view["spare"] == ["sun"]
    assert [game.view()[name] for name in ("rests", "if_taken", "if_given")] == [{}, {}, {}]
    assert [player["playing"] for player in view["players"]] == [True, True]
    assert [player["rank"] for player in view["players"]] == [1, 1]
    assert view["players"][0]["amulets"] == [1, 1]
    assert game.view(1)["stops"]["white"] == []
    assert game.view()["stops"] == {}
    assert game.view(OPEN)["unseen"] == {"druid": {}, "experience": {}}


def test_the_risk_at_a_cult_place_counts_what_a_drawn_card_could_only_do() -> None:
    """CE-4.3: a druid right before a ruin is no risk to who holds a card of his that leads past it with the drawn one."""
    game = dealt("v1 r2 c r3 r3 " + "v1 " * 3 + "5", "white white red red red / white grey grey grey grey")
    for knowledge in (game.known_to(0), game.known_to(1), game.known_to(SPECTATOR)):
        knowledge.druid[COLOUR_NAMES.index("white")] = 1
        knowledge.druid[COLOUR_NAMES.index("red")] = 3
    views = [game.view(0), game.view(1), game.view()]
    assert [view["before_ruin"] for view in views] == [["white", "red"]] * 3
    assert [view["into_ruin"] for view in views] == [[], ["red"], ["white", "red"]]
    assert views[0]["ruin_risk"] == 0
    assert views[1]["ruin_risk"] == round(100 * 12 / 55), "of the cards that he does not see, all red ones"
    assert views[2]["ruin_risk"] == 40
    game.knowledge[1].druid[COLOUR_NAMES.index("white")] = 3
    assert game.view(1)["into_ruin"] == ["white", "red"], "both ruins are ruins"


def test_the_risk_at_a_cult_place_leaves_out_cards_that_cannot_be_drawn() -> None:
    """CE-4.4: once the pile was renewed, older cards are in hands; an empty pile is renewed from what lies open."""
    game = dealt("v1 c r2 v1 v1 v1 v1 v1 1", "white white red red grey / grey brown brown black black", druid_cards=2)
    play(game, "white 2")
    assert game.view(0)["pile"]["druid"] == 0
    assert [game.view(seat)["ruin_risk"] for seat in (0, 1)] == [100, 100], "two white cards would be shuffled"
    play(game, "draw")
    assert game.view(1)["unseen"]["druid"] == {"white": 2, "red": 2, "grey": 1}
    assert game.view(1)["ruin_risk"] == 100, "the pile holds a white card, whatever is in hands"
    assert game.view(0)["ruin_risk"] == 0, "he holds the other"


def test_the_view_names_what_ruins_take_with_the_least_harm() -> None:
    """CE-4.2: first that of which he has most; of equals what is easiest to get back; nobody gives what he lacks."""
    hands = "white white red red red / white grey grey grey grey"
    game = dealt("r2 r3 " + "v1 " * 6 + "5", hands, parts="sun moon / oak oak", display="moon " * 4 + "star " * 5)

    def lost(seat: int) -> list[list[str]]:
        return [stop["loses"] for stop in game.view(seat)["stops"]["white"]]

    assert lost(0) == [["moon", "sun"], ["moon", "sun"]]
    assert lost(1) == [["oak", "oak"]]
    game.knowledge[0].parts[0][KIND_NAMES.index("sun")] = 3
    assert lost(0) == [["sun", "sun"], ["sun", "sun", "moon"]], "no more than the ruin asks for"


def test_the_view_says_how_many_parts_a_find_spot_gives() -> None:
    """CE-4.1: as many as the place shows, from the display as it lies; and how many of them he needs."""
    display = "sun " * 5 + "moon " * 2 + "star star"
    game = dealt("v2 v4 v9 " + "v1 " * 5 + "5", "white white white red red", parts="sun sun / oak oak", display=display)
    game.knowledge[0].display[KIND_NAMES.index("sun")] = 1
    found = [(stop["parts"], stop["takes"], stop["needs"]) for stop in game.view(0)["stops"]["white"]]
    assert found == [(2, 2, 2), (4, 4, 2), (9, 5, 2)]


def test_the_view_says_what_a_part_does_to_the_amulets() -> None:
    """CE-6.4: taken or given up, as the rules sort the parts into amulets."""
    game = dealt(display="sun " * 3 + "oak " * 3 + "star " * 3)
    more = {"sun": 2, "moon": 3}
    game.knowledge[0].parts[0] = [more.get(name, 1) for name in KIND_NAMES]
    game.knowledge[1].parts[1] = [int(name != "sun") for name in KIND_NAMES]
    mine, other = game.view(0), game.view(1)
    assert mine["if_taken"] == {"sun": {"what": "twice", "parts": 2}} | {name: {"what": "grows", "parts": 3} for name in ("star", "oak")}
    assert mine["if_given"] == {name: {"what": "breaks", "parts": 8} for name in KIND_NAMES} | {
        "sun": {"what": "shrinks", "parts": 1},
        "moon": {"what": "spare", "parts": 2},
    }
    assert other["if_taken"]["sun"] == {"what": "completes", "parts": 9}
    assert other["if_taken"]["oak"] == {"what": "twice", "parts": 8}
    assert other["if_given"] == {name: {"what": "shrinks", "parts": 7} for name in KIND_NAMES if name != "sun"}


@pytest.mark.parametrize("number", range(3))
def test_the_view_foresees_what_the_rules_then_do(number: int) -> None:
    """CE-3.3, 4.1, 4.2, 6.4: where a druid stops, how many parts are then taken or given up, and what each does to the amulets."""
    rng, checked = random.Random(number), 0
    game = Celtica.new(seed=number, seats=2 + number)
    while (seat := game.to_move) is not None:
        before, move = game.view(seat), rng.choice(game.legal())
        told = len(game.events(OPEN))
        game.play(move)
        after, events = game.view(seat), game.events(OPEN)[told:]
        words = move.split()
        if before["phase"] == "play" and before["stops"][words[0]]:
            cards = sum(map(int, words[1].split("+")))
            stop = next(one for one in before["stops"][words[0]] if one["cards"] == cards)
            assert next(event["to"] for event in events if event["kind"] == "walked") == stop["place"]
            first = next((event for event in events if event["kind"] in {"taken", "given", "turn"}), None)
            due = first["left"] + 1 if first and first["kind"] != "turn" else after["left"] if after["phase"] in {"take", "give"} else 0
            assert due == (stop["takes"] or len(stop["loses"])) or game.over
            checked += due > 0
        elif words[0] in {"take", "give"} and sum(event["kind"] in {"taken", "given", "bought"} for event in events) == 1:
            own = after["players"][seat]
            change = before["if_taken" if words[0] == "take" else "if_given"][words[1]]
            more = own["complete"] - before["players"][seat]["complete"]
            assert more == (change["what"] == "completes") - (change["what"] == "breaks")
            if change["what"] != "completes":
                assert (own["amulets"][own["complete"] :] or [0])[0] == change["parts"]
            checked += 1
    assert checked > 20


@pytest.mark.parametrize("number", range(3))
def test_views_are_plain_data_and_can_be_drawn(number: int) -> None:
    rng = random.Random(number)
    game = Celtica.new(seed=number, seats=2 + number)
    while not game.over:
        for watcher in (0, SPECTATOR, OPEN):
            view = game.view(watcher)
            assert json.loads(json.dumps(view)) == view
        assert len(str(game).splitlines()) > 10
        game.play(rng.choice(game.legal()))
    assert game.result is not None
    assert game.view()["end"] == game.result.end
    assert [player["rank"] for player in game.view()["players"]] == list(game.result.places)
    assert "over" in str(game)
    assert canonical(game)["phase"] == "over"
    json.dumps(game.events(SPECTATOR))
    assert all(event["kind"] for event in game.events(OPEN))


def test_actions_are_distinct() -> None:
    texts = {notation.move_text(State(), action) for action in range(ACTIONS)}
    assert len(texts) == ACTIONS
    assert PLAY == 0
    assert TAKE_PART < GIVE_PART < DRAW_CARD < DRAW_NONE < SWAP < STOP == ACTIONS - 1
