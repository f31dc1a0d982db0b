"""Why things happened, told beside events: the reasons of all three games, on arranged and on random games, and who is told them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from drunemeton import records
from drunemeton.locales import LANGUAGES, tell_story
from drunemeton.rules.celtica import Celtica
from drunemeton.rules.chance import BY_STEP, Chance
from drunemeton.rules.druidenwalzer import Druidenwalzer
from drunemeton.rules.game import Game, find_game, playable
from drunemeton.rules.kernel import SPECTATOR

SET_UP = ["1<", "1<", "orange@1", "purple@2", "black@3", "orange@1", "purple@2", "black@3"]


def played(name: str, seed: int, steps: int = 400, **more: Any) -> Game:
    rng = random.Random(seed)
    game = find_game(name).new(seed=seed, **more)
    while not game.over and len(game.steps) < steps:
        game.play(rng.choice(game.actions()))
    return game


def reasons(game: Game, watcher: int = SPECTATOR, since: int = 0) -> list[tuple[dict[str, Any], str, dict[str, Any], bool]]:
    events = game.events(watcher, since)
    return [(events[at], code, params, forced) for at, code, params, forced in game.because(watcher, since)]


def step_of(game: Game, number: int) -> list[dict[str, Any]]:
    events = game.events(SPECTATOR, number)
    return events[: len(events) - len(game.events(SPECTATOR, number + 1))]


def test_who_dances_how_far_and_that_nobody_does() -> None:
    """DW-4.3, 4.5, 5.1, 5.3."""
    game = Druidenwalzer.new(chance=Chance.from_seed(3, BY_STEP))
    for move in SET_UP:
        game.play(move)
    since = len(game.steps)
    game.play("W 2<@1")
    events = game.events(1, since)
    told = {code: params for _, code, params, _ in reasons(game, 1, since)}
    assert told["dw.dance"] == {"value": 2, "steps": 1, "tree": 1}
    assert "dw.nobody_dances" not in told
    for event, code, params, _ in reasons(game, 1, since):
        if code == "dw.tie":
            assert event["sun"] == event["moon"] == params["value"]
        if code == "dw.wins":
            assert event[params["seat"]] == params["high"] > params["low"]
    met = [event["colour"] for event in events if event["kind"] == "met"]
    assert set(met) | {told["dw.ring"]["colour"]} == {"orange", "purple", "black"}


def test_a_preview_says_why() -> None:
    game = Druidenwalzer.new(chance=Chance.from_seed(3, BY_STEP))
    for move in SET_UP:
        game.play(move)
    first = game.preview("W 2<@1")[0]
    assert first.event["kind"] == "played"
    assert [(reason.code, reason.params) for reason in first.because] == [("dw.dance", {"value": 2, "steps": 1, "tree": 1})]
    assert first.describe()["because"] == [{"at": 0, "code": "dw.dance", "params": {"value": 2, "steps": 1, "tree": 1}, "forced": False}]


def test_a_preview_says_who_wins_also_where_it_cannot_know_by_how_much() -> None:
    """DW-5.3: against a card that nobody has seen a contest may be won or lost surely; its value is told with `?`."""
    found: set[str] = set()
    rng = random.Random(4)
    for seed in range(12):
        game = Druidenwalzer.new(seed=seed)
        while not game.over and len(game.steps) < 40:
            move = rng.choice(game.legal())
            for one in game.preview(move) if move.startswith("W") else ():
                if one.event["kind"] != "met" or not one.instead:
                    continue
                winners = {"sun" if met["sun"] > met["moon"] else "moon" if met["moon"] > met["sun"] else "" for met, _ in one.instead}
                told = [reason.params for reason in one.because if reason.code == "dw.wins"]
                if len(winners) == 1 and "" not in winners:
                    assert [params["seat"] for params in told] == list(winners)
                    assert "?" in (told[0]["high"], told[0]["low"])
                else:
                    assert not told
                found.add("tie" if "" in winners else "one" if len(winners) == 1 else "either")
            game.play(move)
    assert found == {"tie", "one", "either"}


def test_why_a_tree_is_lost_and_a_game_ends() -> None:
    """DW-6.1, 6.5, 7.2: conquered, still empty, two lost trees, too many quiet turns."""
    ends = {}
    for seed in range(30):
        game = played("druidenwalzer", seed, options={"draw_after": 8 if seed % 2 else 60})
        for event, code, params, _ in reasons(game):
            if event["kind"] == "tree_lost":
                assert (code, params) == (("dw.conquered", {"tokens": 6}) if event["how"] == "conquest" else ("dw.stayed_empty", {}))
            if event["kind"] == "ended":
                ends[event["how"]] = code, params
    assert ends == {
        "conquest": ("dw.trees_lost", {"trees": 2}),
        "empty": ("dw.trees_lost", {"trees": 2}),
        "draw": ("dw.quiet", {"turns": 8}),
    }


@pytest.mark.slow
def test_where_parts_and_cards_come_from_and_that_the_last_card_was_no_choice() -> None:
    """CE-3.0, 3.3, 4.1 to 4.3."""
    places = Celtica.default_components()["places"]
    codes, last = set(), 0
    for seed in range(8):
        game = played("celtica", seed, seats=2 + seed % 4)
        for number in range(1, len(game.steps)):
            plays = [event for event in step_of(game, number) if event["kind"] == "played"]
            asked = step_of(game, number)[0]["kind"] == "played"
            told = reasons(game, SPECTATOR, number)[: len(game.because(SPECTATOR, number)) - len(game.because(SPECTATOR, number + 1))]
            forced_plays = [event for event, code, _, forced in told if code == "ce.last_card" and forced]
            assert forced_plays == plays[asked:], "a step is one decision; every further play was the only one"
            last += len(forced_plays)
            for event, code, params, _ in told:
                codes.add(code)
                if event["kind"] == "walked" and code.startswith("ce.at_"):
                    assert code == f"ce.at_{places[event['to']]['kind']}"
                    assert params == {"parts": abs(places[event["to"]]["parts"])}
                if event["kind"] == "dealt":
                    assert code == ("ce.drawn_at_cult" if event["deck"] == "druid" else "ce.drawn_at_ruin")
    assert last > 10
    assert {"ce.at_cult", "ce.at_ruin", "ce.at_goal", "ce.renewed", "ce.one_kind_given", "ce.cannot_trade"} <= codes


def test_an_action_that_can_do_nothing_says_so() -> None:
    """DD-5.2: light magic twice, with no population on the board."""
    game = find_game("daemonen").new(seed=1)
    while "choose light" not in game.legal():
        game.play(game.legal()[0])
    game.play("choose light")
    since = len(game.steps)
    seat = game.steps[-1].seat
    game.play("choose light")
    forced = [(event["kind"], code, params) for event, code, params, forced in reasons(game, seat, since) if forced]
    assert forced == [("action", "dd.nothing_possible", {"action": "light"})]
    assert game.to_move != seat


def test_why_pieces_are_lost() -> None:
    """DD-5.3, 5.8."""
    why = {"population_lost": "dd.demon_on_it", "stone_lost": "dd.two_demons", "captured": "dd.three_support"}
    found = set()
    for seed in range(14):
        for event, code, _, _ in reasons(played("daemonen", seed, 700, seats=3)):
            if event["kind"] in why:
                assert code == why[event["kind"]]
                found.add(event["kind"])
            if code in ("dd.demon_cut", "dd.anchor_cut"):
                assert event["cut"]
                found.add(code)
    assert found == {*why, "dd.demon_cut", "dd.anchor_cut"}


@pytest.mark.parametrize("name", playable())
def test_reasons_stand_beside_events_never_inside_and_have_words(name: str) -> None:
    game = played(name, 5, 150)
    watchers = game.watchers
    for watcher in watchers:
        events, because = game.events(watcher), game.because(watcher)
        assert not any("because" in event for event in events)
        assert all(0 <= reason.at < len(events) for reason in because)
        assert [reason.at for reason in because] == sorted(reason.at for reason in because)
        for language in LANGUAGES:
            story = " ".join(tell_story(language, game.script.prefix, events, because))
            assert "because." not in story
            assert "{" not in story
    assert "because" not in records.write(game)
    later = len(game.steps) // 2
    half = len(game.events(0)) - len(game.events(0, later))
    assert [reason._replace(at=reason.at - half) for reason in game.because(0) if reason.at >= half] == game.because(0, later)
