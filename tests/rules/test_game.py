"""The object that plays a game: asking, playing, refusing, previewing, taking back."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from drunemeton.rules.chance import BY_STEP, Chance
from drunemeton.rules.components import read_components
from drunemeton.rules.druidenwalzer import Druidenwalzer
from drunemeton.rules.errors import BadComponents, BadOption, GameError, IllegalMove
from drunemeton.rules.game import Game, find_game, fold, playable
from drunemeton.rules.kernel import OPEN, SPECTATOR
from drunemeton.rules.story import told_to

SET_UP = ["1<", "1<", "orange@1", "purple@2", "black@3", "orange@1", "purple@2", "black@3"]


def begun(seed: int = 3) -> Druidenwalzer:
    game = Druidenwalzer.new(chance=Chance.from_seed(seed, BY_STEP))
    for move in SET_UP:
        game.play(move)
    return game


def test_three_lines_in_a_shell_play_a_game() -> None:
    game = Druidenwalzer.new(seed=7)
    assert game.legal() == ["1<", "1>"]
    game.play("1<")
    assert "Moon" in str(game)


def test_a_refused_move_changes_nothing_and_says_why() -> None:
    game = begun()
    before, steps = game.state.copy(), len(game.steps)
    for move in ("W 9<@1", "J blue", "", "orange@1", 31, 99, -1):
        with pytest.raises(IllegalMove) as refused:
            game.play(move)
        assert refused.value.reason.code
    assert game.state == before
    assert len(game.steps) == steps


def test_unknown_games_options_and_seats_are_named() -> None:
    with pytest.raises(GameError, match="chess"):
        find_game("chess")
    with pytest.raises(BadOption, match="tress"):
        Druidenwalzer.new(options={"tress": 3})
    with pytest.raises(BadOption, match="seats"):
        Druidenwalzer.new(seats=3)


def test_component_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    with pytest.raises(BadComponents, match=r"deck\.toml"):
        read_components(path)
    path.write_text("sun = [", encoding="utf-8")
    with pytest.raises(BadComponents, match="TOML"):
        read_components(path)


def test_every_component_entry_says_where_it_comes_from() -> None:
    for name in ("druidenwalzer",):
        game = find_game(name)
        flags = game.provenance()
        assert set(flags) == set(game.default_components())
        assert all(flag["status"] in ("sourced", "reconstructed") and flag["note"] for flag in flags.values())


def test_the_object_and_its_events_are_for_those_who_may_see() -> None:
    game = begun()
    own = [event for event in game.events(1) if event["kind"] == "drawn" and event["seat"] == "moon"]
    other = [event for event in game.events(0) if event["kind"] == "drawn" and event["seat"] == "moon"]
    assert all(event["card"] for event in own)
    assert [event["card"] for event in other] == [None] * 3
    assert "order" not in {event["kind"] for event in game.events(SPECTATOR)}
    assert "order" in {event["kind"] for event in game.events(OPEN)}


# --- Preview -------------------------------------------------------------------------------------------------------


def test_a_preview_says_what_is_certain_and_puts_percentages_on_the_rest() -> None:
    game = begun()
    foreseen = game.preview("W 2<@1")
    kinds = [item.event["kind"] for item in foreseen]
    assert kinds[0] == "played"
    dances = [item for item in foreseen if item.event["kind"] == "danced"]
    assert [(item.event["from"], item.event["to"], item.certain) for item in dances] == [("S3", "S2", True), ("M3", "M2", True)]
    turned = next(item for item in foreseen if item.event["kind"] == "turned")
    assert turned.event["card"] == "?"
    assert sum(share for _, share in turned.instead) == pytest.approx(1)
    actual = game.play("W 2<@1")
    certain = [item.event for item in foreseen if item.certain]
    assert all(event in actual for event in certain)


def test_every_certain_event_of_every_preview_comes_true() -> None:
    for seed in range(4):
        game = begun(seed)
        for _ in range(25):
            if game.over:
                break
            move = game.legal()[seed % len(game.legal())]
            certain = [item.event for item in game.preview(move, samples=40) if item.certain]
            happened = game.play(move)
            assert all(event in happened for event in certain)


def test_an_illegal_move_has_no_preview() -> None:
    with pytest.raises(IllegalMove):
        begun().preview("W 9<@1")


# --- Undo ----------------------------------------------------------------------------------------------------------


def test_a_step_that_told_nobody_anything_new_can_be_taken_back() -> None:
    game = Druidenwalzer.new(seed=3)
    game.play("1<")
    assert game.can_undo(1)
    assert not game.can_undo(0)
    game.undo(1)
    assert game.legal() == ["1<", "1>"]
    assert len(game.steps) == 1
    game.play("1>")
    game.play("1<")  # the deal follows: everybody has seen something
    assert not game.can_undo(0)


def test_druids_and_jumps_can_be_taken_back_until_the_other_acts() -> None:
    game = begun()
    before = game.state.copy()
    game.play("J orange")
    assert game.can_undo(1)
    game.undo(1)
    assert game.state == before
    game.play("J orange")
    game.play("J orange")
    assert not game.can_undo(1)
    assert game.can_undo(0)


def test_playing_a_card_or_turning_one_up_cannot_be_taken_back() -> None:
    for move in ("W 2<@1", "R 2<", "R @1"):
        game = begun()
        game.play(move)
        assert not game.can_undo(1), move
        with pytest.raises(GameError):
            game.undo(1)


@pytest.mark.parametrize("name", playable())
def test_who_has_no_seat_is_told_nothing_new_that_no_seat_is(name: str) -> None:
    """Whether a step can be taken back is asked of the seats alone."""
    rng = random.Random(3)
    checked = 0
    game = find_game(name).new(seed=11)
    while not game.over and len(game.steps) < 250:
        known = game.known_to(SPECTATOR).copy()
        step = game.carry_out(rng.choice(game.actions()))
        news = sum(fold(known, list(row)) for row in told_to(step.rows, SPECTATOR))
        checked += news > 0
        assert not (news and game.can_undo(step.seat))
    assert checked > 10


def play_at_random(game: Game, rng: random.Random, steps: int) -> None:
    for _ in range(steps):
        if game.over:
            return
        game.carry_out(rng.choice(game.actions()))


@pytest.mark.parametrize("name", playable())
@pytest.mark.parametrize("watched", [False, True])
def test_a_game_that_was_taken_back_is_the_game_that_was_never_played_further(name: str, watched: bool) -> None:
    rng = random.Random(f"{name} {watched}")
    game = find_game(name).new(seed=5)
    for turn in range(24):
        play_at_random(game, rng, rng.choice((1, 5, 40, 90)))
        count = max(1, len(game.steps) - rng.choice((1, 1, 2, 9, 30, 80)))
        game.return_to(game.moment(count))
        again = replayed(game)
        assert (game.state, game.steps) == (again.state, again.steps)
        for seat in [*range(game.seats), *([SPECTATOR] if watched and turn > 4 else [])]:
            assert game.known_to(seat) == again.known_to(seat)
            assert game.can_undo(seat) == again.can_undo(seat)
    play_at_random(game, rng, 20)
    assert game.view() == replayed(game).view()


def replayed(game: Game) -> Game:
    again = type(game).new(seed=5)
    for step in game.steps[1:]:
        again.carry_out(step.action)
    return again


@pytest.mark.parametrize("name", playable())
def test_a_view_that_is_made_once_for_all_is_what_each_of_them_knows(name: str) -> None:
    """Only where all see the same may one be shown what was made for another; and it is made anew after each step and after each undo."""
    game, rng = find_game(name).new(seed=5), random.Random(5)
    differ = 0
    while not game.over and len(game.steps) < 150:
        made = {watcher: game.view_of(game.known_to(watcher), watcher, False) for watcher in game.watchers}
        assert {watcher: game.view(watcher) for watcher in game.watchers} == made
        differ += len({str(view) for view in made.values()}) > 1
        before, seat = made[0], game.to_move
        game.play(rng.choice(game.actions()))
        if seat is not None and game.can_undo(seat):
            assert game.view(0) == game.view_of(game.known_to(0), 0, False)
            game.undo(seat)
            assert game.view(0) == before
            game.play(rng.choice(game.actions()))
    assert (differ == 0) == game.same_for_all


def test_a_long_game_is_played_again_from_its_beginning_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(2)
    game = find_game("daemonen").new(seed=9)
    play_at_random(game, rng, 400)
    length, carried = len(game.steps), 0
    carry_on = type(game)._carry_on

    def counted(*args: Any) -> list[int]:
        nonlocal carried
        carried += 1
        return carry_on(*args)

    monkeypatch.setattr(type(game), "_carry_on", counted)
    taken = []
    while len(game.steps) > 20:
        before = carried
        game.return_to(game.moment(len(game.steps) - 1))
        taken.append(carried - before)
    assert taken[0] == length - 1
    assert sum(taken[1:]) < 12 * length  # and not half the square of it
    assert max(taken[1 : length // 2]) <= length // 2


def test_a_moment_comes_in_small_pieces_and_leaves_the_game_as_it_is() -> None:
    rng = random.Random(4)
    game = find_game("daemonen").new(seed=5)
    play_at_random(game, rng, 120)
    before = game.state.copy(), {watcher: known.copy() for watcher, known in game.knowledge.items()}, list(game.steps)
    pieces = list(game.remember(100))
    assert len(pieces) > 8
    assert pieces[-1] is not None
    assert all(piece is None for piece in pieces[:-1])
    broken_off = game.remember(50)
    next(broken_off)
    del broken_off
    assert (game.state, game.knowledge, game.steps) == before
    game.return_to(game.moment(50))
    assert game.state == replayed(game).state
