"""Puzzles: each follows from what its seat knows, one move is clearly best in a long search, and none comes twice."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import subprocess
import sys
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from drunemeton.appraisal.because import BAD, GOOD, Explainer
from drunemeton.cli import main
from drunemeton.locales import LANGUAGES, catalogue
from drunemeton.puzzles import THEMES, Puzzle, listed, puzzles
from drunemeton.puzzles import making as making_room
from drunemeton.puzzles.check import BadPuzzle, check, check_data, check_search
from drunemeton.puzzles.finding import GLANCE, LEAST_PROOF, Finder, plain_reasons
from drunemeton.puzzles.making import FIRST_DEAL, Making
from drunemeton.puzzles.puzzle import fields_of, ident_of, is_like, knowledge_of, shipped
from drunemeton.rules import game as rules
from drunemeton.rules.errors import GameError
from drunemeton.rules.game import find_game, playable
from drunemeton.rules.kernel import Desk, seed

from ..noninterference import twin_of

LARGEST = 1_500_000  # bytes of a set
ENOUGH = 60  # of each game
PATIENCE = 300  # seconds: a busy machine is no error of ours


def some(game: str, count: int) -> list[Puzzle]:
    """A slice of a set that another seed of the tests would choose otherwise."""
    return random.Random(f"slice of {game}").sample(puzzles(game), count)


@pytest.mark.parametrize("game", playable())
def test_a_set_is_large_and_no_puzzle_comes_twice(game: str) -> None:
    found = puzzles(game)
    assert len(found) >= ENOUGH
    assert len({one.ident for one in found}) == len(found)
    assert shipped(game).stat().st_size <= LARGEST
    assert [one.listed() for one in found] == list(listed(game))
    assert not [(one.ident, other.ident) for one, other in itertools.combinations(found, 2) if is_like(one, other)]
    assert len({one.theme for one in found}) >= 3
    assert len({one.grade for one in found}) >= 3
    assert [one.missed for one in found] == sorted(one.missed for one in found)


@pytest.mark.parametrize("game", playable())
def test_a_reason_is_a_gain_of_the_solution_or_a_loss_of_the_other_move(game: str) -> None:
    explainer = Explainer(find_game(game))
    for puzzle in puzzles(game):
        for why in [why for move in puzzle.moves for why in move.why]:
            side = explainer._side(why["event"], find_game(game).seat_names[puzzle.seat])
            assert side != (BAD if why["code"] in ("wins", "threatens") else GOOD), (puzzle.ident, why)


@pytest.mark.parametrize("game", playable())
def test_puzzles_follow_from_what_their_seat_knows(game: str) -> None:
    for puzzle in some(game, 4):
        check_data(puzzle)
        assert puzzle.simulations >= LEAST_PROOF * GLANCE


@pytest.mark.slow
@pytest.mark.parametrize("game", playable())
def test_a_long_search_finds_the_solution_alone(game: str) -> None:
    for puzzle in some(game, 3):
        assert check(puzzle) > 0


@pytest.mark.proof
@pytest.mark.parametrize("game", playable())
def test_all_puzzles_hold(game: str) -> None:
    for puzzle in puzzles(game):
        check(puzzle)


def test_a_puzzle_that_was_tampered_with_is_found_out() -> None:
    puzzle = puzzles("druidenwalzer")[0]
    best, *others = puzzle.moves
    spoiled = [
        replace(puzzle, ident="aaaaaaaa"),
        replace(puzzle, seat=1 - puzzle.seat),
        replace(puzzle, moves=(best, *others[1:])),
        replace(puzzle, moves=(replace(best, foreseen=others[0].foreseen[:1]), *others)),
        replace(puzzle, moves=(replace(best, value=others[0].value), *others)),
        replace(puzzle, moves=(replace(best, why=[]), *others)),
        replace(puzzle, theme=next(theme for theme in THEMES if theme != puzzle.theme)),
    ]
    for one in spoiled:
        with pytest.raises(BadPuzzle):
            check_data(one)
    with pytest.raises(GameError):
        check_data(replace(puzzle, knows={"no such field": 1}))


@pytest.mark.slow
def test_a_wrong_solution_is_found_out() -> None:
    puzzle = puzzles("druidenwalzer")[-1]
    best, second, *others = puzzle.moves
    known = check_data(puzzle)
    with pytest.raises(BadPuzzle):
        check_search(replace(puzzle, moves=(second, best, *others)), known)
    with pytest.raises(BadPuzzle):
        check_search(replace(puzzle, simulations=LEAST_PROOF * GLANCE - 1), known)


@pytest.mark.parametrize("game", playable())
def test_a_puzzle_keeps_no_hidden_card(game: str) -> None:
    """What lies hidden is as open in the file as it was at the table: many worlds fit, and they differ."""
    kind, several = find_game(game), 0
    for puzzle in some(game, 4):
        known, worlds = knowledge_of(kind, puzzle.knows), []
        for number in range(4):
            desk, world = Desk(), kind.state_type()
            seed(desk, number, 1, 1)
            rules.sample(known, desk, world)
            worlds.append(world)
        several += any(world != worlds[0] for world in worlds)
    assert several == 4


@pytest.mark.slow
@pytest.mark.parametrize("game", playable())
def test_a_puzzle_says_nothing_that_its_seat_does_not_know(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Non-interference: change all that the seat cannot know, and the puzzle made of the position is the same."""
    finder, played = Finder(find_game(game)), find_game(game).new(seed=3)
    rng = random.Random(3)
    while len(played.steps) < 12 or len(played.actions()) < 2:
        played.carry_out(rng.choice(played.actions()))
    seat = played.to_move
    assert seat is not None
    monkeypatch.setattr(finder, "is_seen", lambda _: True)  # any position will do here
    made = []
    for one in (played, twin_of(played, seat, rng)):
        knows = finder.engine.box(one.known_to(seat))
        made.append(finder.puzzle_of(knows, finder.glance.moves(knows, seed=1), 0.5))
    assert made[0] is not None
    assert made[0].written() == made[1].written()  # type: ignore[union-attr]
    assert made[0].ident == ident_of(fields_of(played.known_to(seat)))


def test_what_the_page_gets_has_no_more_than_it_needs() -> None:
    puzzle = puzzles("celtica")[0]
    told = puzzle.shown()
    assert "knows" not in told
    assert told["moves"][0]["move"] == puzzle.moves[0].move
    assert told["legal"] == sorted(one["move"] for one in told["moves"])
    assert told["legal"][0] != ""
    assert {"view", "seat", "options", "components"} <= set(told)
    assert Puzzle.read(puzzle.written()) == puzzle


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_theme_and_reason_has_its_words(language: str) -> None:
    words = catalogue(language)
    assert all(f"puzzles.theme.{theme}" in words for theme in THEMES)
    codes = {why["code"] for game in playable() for one in some(game, 10) for move in one.moves for why in move.why}
    assert codes
    assert all(f"puzzles.why.{code}.{beside}" in words for code in codes for beside in ("try", "next"))


def test_that_a_move_is_made_is_no_reason_for_it() -> None:
    from drunemeton.appraisal.shape import Why

    event = {"kind": "token", "tree": "S1", "tokens": 2}
    wins = Why("wins", event, 1.0, 0.0)
    other = Why("wins", {**event, "tree": "S2"}, 1.0, 0.0)
    assert plain_reasons([wins, other], [[]]) == [wins, other]
    made = [{"event": {**event, "rule": "DW-5.4"}, "share": 1.0}]
    assert plain_reasons([wins, other], [made]) == [other]


# --- Making a set


def stand_in(monkeypatch: pytest.MonkeyPatch, by_deal: dict[int, list[Puzzle]], begun: list[int]) -> None:
    """Deals that give these puzzles, found in threads."""

    def pool(processes: int, *_: Any) -> Executor:
        return ThreadPoolExecutor(processes)

    def found(name: str, seats: int, deal: int) -> list[str]:
        begun.append(deal)
        return [one.written() for one in by_deal.get(deal % 100, [])]

    monkeypatch.setattr(making_room, "workers", pool)
    monkeypatch.setattr(making_room, "find_in", found)


def test_a_set_in_the_making_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("celtica")
    one, two, three = puzzles("celtica")[:3]
    begun: list[int] = []
    stand_in(monkeypatch, {0: [one], 2: [two, one], 3: [three]}, begun)
    path = tmp_path / "set.jsonl"
    first = Making(game, path)
    for looked in first.run(100):
        if looked.puzzles == 2:
            break  # as Ctrl+C does it
    with path.open("a", encoding="utf-8") as file:
        file.write('{"game": "celtica", "sea')  # killed while it wrote
    again = Making(game, path)
    assert [puzzle.ident for puzzle in again.puzzles] == [one.ident, two.ident]  # the second time it is like one that is there
    begun.clear()
    assert [looked.new for looked in again.run(3)] == [1]
    assert min(begun) % 100 == 3
    whole = Making(game, path)
    assert [puzzle.ident for puzzle in whole.puzzles] == [one.ident, two.ident, three.ident]
    assert list(whole.run(3)) == []
    with pytest.raises(GameError):
        Making(game, path, seed=1)
    with monkeypatch.context() as changed:
        changed.setattr(making_room, "mark_of_finder", lambda _: "another")
        with pytest.raises(GameError):
            Making(game, path)  # what two finders found is no set that comes again
    with pytest.raises(GameError):
        Making(find_game("daemonen"), path)


def test_time_may_be_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    stand_in(monkeypatch, {}, [])
    monkeypatch.chdir(tmp_path)
    assert main(["puzzles", "celtica", "--minutes", "0.0001"]) == 1
    assert "puzzles-celtica.jsonl: 0 puzzles" in capsys.readouterr().out


@pytest.mark.slow
def test_puzzles_are_found_and_are_the_same_again(tmp_path: Path) -> None:
    texts = []
    for name in ("one", "two"):
        path = tmp_path / name
        assert main(["puzzles", "druidenwalzer", "--count", "1", "--file", str(path)]) == 0
        texts.append(path.read_text(encoding="utf-8"))
    assert texts[0] == texts[1]
    found = [Puzzle.read(line) for line in json.loads(texts[0].splitlines()[-1])["puzzles"]]
    for puzzle in found:
        assert check(puzzle) > 0


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_found(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    command = [sys.executable, "-m", "drunemeton.cli", "puzzles", "druidenwalzer", "--count", "1000", "--file", str(path)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert running.stderr is not None
    running.stderr.readline()  # the first deal has been looked at
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert "goes on from here" in err
    assert "Traceback" not in err
    assert "puzzles" in out
    assert Making(find_game("druidenwalzer"), path).next > FIRST_DEAL


def test_a_check_says_what_is_wrong(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = puzzles("druidenwalzer")[0]
    monkeypatch.setattr("drunemeton.puzzles.puzzle.puzzles", lambda game: [replace(puzzle, theme="none")])
    assert main(["puzzles", "druidenwalzer", "--check"]) == 1
    told = capsys.readouterr()
    assert puzzle.ident in told.err
    assert "0 of 1 puzzles hold" in told.out
