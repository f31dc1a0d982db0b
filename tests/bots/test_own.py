"""Bots of your own: by name and as themselves, in all three forms, wherever a bot can be named on this machine."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from drunemeton.bots import LEVELS, REFERENCE, druidenwalzer_columns
from drunemeton.bots.arena import Arena
from drunemeton.bots.judgement import Judgement, mind_of
from drunemeton.bots.ladder import Ladder
from drunemeton.bots.levels import measured
from drunemeton.bots.match import Match
from drunemeton.bots.own import RuleBot, find_bot, load, mark_of_own, own_bot
from drunemeton.bots.simulation import Simulation
from drunemeton.cli import main
from drunemeton.rules.druidenwalzer import Druidenwalzer
from drunemeton.rules.errors import GameError
from drunemeton.rules.game import find_game, playable

from .test_reflex import unlearnt

EXAMPLES = Path(__file__).parents[2] / "examples"

FORMS = """
from drunemeton.bots import RandomBot

def first(position):
    return position.actions()[0]

def spoken(position):
    return position.text(position.actions()[0])

def looks_ahead(position):
    assert position.view()["turn"] is not None
    world = position.world()
    before = world.copy()
    ahead = {action: position.after(world, action) for action in position.actions()}
    assert world == before
    assert all(state != world for state in ahead.values())
    return max(ahead, key=lambda action: position.rng.random())

def nonsense(position):
    return "W 99<@7"

def number(position):
    return 99

def none(position):
    return None

def fails(position):
    return 1 / 0

class Made:
    def __init__(self, game):
        self.game, self.inner = game, RandomBot()
    def choose(self, knowledge, *, seed):
        return self.inner.choose(knowledge, seed=seed)

class MadeOfNothing(Made):
    def __init__(self):
        self.inner = RandomBot()

class Unmade:
    def __init__(self, game):
        raise ValueError("no")

thing = 3
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a module of bots, in which we are."""
    (tmp_path / "own_forms.py").write_text(FORMS, encoding="utf-8")
    (tmp_path / "own_broken.py").write_text("import nowhere_at_all\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    yield tmp_path
    for name in ("own_forms", "own_broken", "own_faulty", "own_shelves", "own_settings", "rollout_bot"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize("form", ["first", "spoken", "looks_ahead", "Made", "MadeOfNothing"])
def test_every_form_plays_a_match_to_its_end(folder: Path, form: str) -> None:
    match = Match(Druidenwalzer, [f"own_forms:{form}", "random"])
    assert [match.play(deal)[2] for deal in range(3)].count("unfinished") == 0
    assert match.play(1) == match.play(1)


def test_an_action_and_its_text_are_the_same_answer(folder: Path) -> None:
    one, two = (Match(Druidenwalzer, [f"own_forms:{form}"] * 2) for form in ("first", "spoken"))
    assert [one.play(deal) for deal in range(4)] == [two.play(deal) for deal in range(4)]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("own_forms:nonsense", "no legal action; legal are 0 "),
        ("own_forms:number", "answered 99, which is no legal action"),
        ("own_forms:none", "answered None"),
        ("own_forms:fails", r"ZeroDivisionError: division by zero \(own_forms.py, line 29\)"),
        ("own_forms:Unmade", "cannot be made for Druidenwalzer: ValueError: no"),
        ("own_forms:thing", "is no bot: a function, or something that has choose"),
        ("own_forms:nothing", "own_forms has no 'nothing'"),
        ("own_broken:bot", "own_broken cannot be imported: No module named 'nowhere_at_all'"),
        ("own_nowhere:bot", "there is no module 'own_nowhere', neither installed nor in"),
        (":bot", "write module:Name"),
        ("own_forms:", "write module:Name"),
        ("../own_forms:first", "write module:Name"),
        ("nobody", "your own as module:Name"),
    ],
)
def test_what_is_wrong_with_a_bot_is_said(folder: Path, name: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(GameError, match=said):
        Match(Druidenwalzer, [name, "random"]).play(1)
    assert main(["simulate", "druidenwalzer", "--games", "1", "--processes", "1", "--seats", f"{name},random"]) == 2
    assert main(["play", "druidenwalzer", "--seats", f"{name},random"]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_own_bots_are_named_at_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["simulate", "druidenwalzer", "--games", "4", "--rotate", "--json", "--processes", "1", "--seats", "own_forms:first,random"])
        == 0
    )
    assert [seat["bot"] for seat in json.loads(capsys.readouterr().out)["seats"]] == ["own_forms:first", "random"]
    assert main(["play", "druidenwalzer", "--seed", "3", "--seats", "own_forms:Made,own_forms:first"]) == 0
    assert "own_forms:first" in capsys.readouterr().out


@pytest.mark.slow
def test_own_bots_play_side_by_side_in_processes_of_their_own(folder: Path) -> None:
    """They find the module as we did, and nothing depends on where a game is played."""
    found = []
    for processes in (1, 2):
        simulation = Simulation([Match(Druidenwalzer, ["own_forms:Made", "own_forms:first"])], 6, 1)
        simulation.run(processes=processes)
        found.append(simulation.summary(["default"]))
    assert found[0] == found[1]


def test_own_bots_sit_in_the_arena() -> None:
    arena = Arena(Druidenwalzer, 2)

    def last(position: Any) -> int:
        return int(position.actions()[-1])

    end, places = arena.play([find_bot(Druidenwalzer, last), find_bot(Druidenwalzer, "greedy", plain=False)], 5)
    assert end in Druidenwalzer.ends
    assert sorted(places) in ([1, 2], [1, 1])


def test_weights_sit_where_bots_are_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What `drunemeton train` leaves can be played against and measured, by its file."""
    unlearnt(Druidenwalzer, 8, 1).save(folder / "weights.npz")
    asked = ["simulate", "druidenwalzer", "--games", "2", "--rotate", "--processes", "1"]
    assert main([*asked, "--seats", "weights.npz,random"]) == 0
    assert "weights.npz" in capsys.readouterr().out
    marks = [mark_of_own("weights.npz")]
    unlearnt(Druidenwalzer, 8, 2).save(folder / "weights.npz")
    assert mark_of_own("weights.npz") not in marks
    unlearnt(find_game("celtica"), 8, 1).save(folder / "other.npz")
    (folder / "text.npz").write_text("hello", encoding="utf-8")
    for name, said in {"other.npz": "has learnt Celtica, not", "nowhere.npz": "no weights at", "text.npz": "no file of weights"}.items():
        assert main([*asked, "--seats", f"{name},random"]) == 2
        assert said in capsys.readouterr().err


def test_a_judgement_sits_where_bots_are_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What `training.judgement` leaves plays by its file too; with a mind that feels nothing it is a short search that sees ends only."""
    mind = mind_of([0.0] * druidenwalzer_columns.COLUMNS, [[]] * druidenwalzer_columns.COLUMNS, [], [])
    Judgement("druidenwalzer", druidenwalzer_columns.NAMES, {2: mind}, {}).write(folder / "own.json")
    asked = ["simulate", "--games", "2", "--rotate", "--processes", "1", "--seats"]
    assert main([*asked, "own.json,random", "druidenwalzer"]) == 0
    assert "own.json" in capsys.readouterr().out
    assert mark_of_own("own.json")
    (folder / "text.json").write_text("hello", encoding="utf-8")
    for game, name, said in (
        ("celtica", "own.json", "learnt from other columns than Celtica"),
        ("druidenwalzer", "nowhere.json", "no judgement nowhere.json"),
        ("druidenwalzer", "text.json", "is no judgement"),
    ):
        assert main([*asked, f"{name},random", game]) == 2
        assert said in capsys.readouterr().err


@pytest.fixture
def rollouts(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Any:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import rollout_bot  # type: ignore[import-not-found]

    return rollout_bot


def test_a_rule_answers_alike_in_plain_and_compiled_code(folder: Path) -> None:
    source = (EXAMPLES / "rollout_bot.py").read_text(encoding="utf-8")
    (folder / "own_quick.py").write_text(source.replace("WORLDS = 60", "WORLDS = 2"), encoding="utf-8")  # plain rollouts take their time
    game = Druidenwalzer.new(seed=4, options={"trees": 2, "stack": 1, "hand": 1})
    bots = [own_bot(Druidenwalzer, load("own_quick:choose"), plain=plain) for plain in (True, False)]
    assert isinstance(bots[0], RuleBot)
    asked = 0
    while game.to_move is not None and asked < 5:
        answers = {bot.choose(game.knowledge[game.to_move], seed=asked) for bot in bots}
        assert len(answers) == 1
        game.play(answers.pop())
        asked += 1
    assert asked == 5


def test_the_tutorial_shows_all_of_its_bot() -> None:
    """Whoever has only the page, as `drunemeton docs` shows it, has the whole bot, imports and all."""
    page = (EXAMPLES.parent / "docs" / "own-bots.md").read_text(encoding="utf-8").partition("## Fifty lines")[2]
    shown = "\n\n".join(re.findall(r"^```python\n(.*?)^```", page, re.M | re.S))
    source = (EXAMPLES / "rollout_bot.py").read_text(encoding="utf-8")
    assert shown.split() == source.split('"""', 2)[2].split()


@pytest.mark.slow
def test_the_tutorials_bot_beats_level_3(rollouts: Any) -> None:
    """A slice of what docs/own-bots.md says of 400 games: 88 %."""
    source = (EXAMPLES / "rollout_bot.py").read_text(encoding="utf-8")
    assert len([line for line in source.splitlines() if line.strip()]) <= 50
    match = Match(Druidenwalzer, ["rollout_bot:choose", "level-3"])
    won = sum(match.play(deal, turned)[3][0] == 1 for deal in range(1, 11) for turned in (0, 1))
    assert won >= 14


@pytest.mark.proof
@pytest.mark.parametrize("name", playable())
def test_the_tutorials_bot_plays_every_game(rollouts: Any, name: str) -> None:
    match = Match(find_game(name), ["rollout_bot:choose", "level-1"])
    assert match.play(1)[2] != "unfinished"


def test_an_edit_of_a_rule_is_noticed_by_the_compile_cache(folder: Path) -> None:
    """What is compiled for a bot lies by what its source says: the same name with another answer is another bot."""
    text = "from drunemeton.rules.game import legal\nfrom drunemeton.rules.kernel import rule\n\n@rule\ndef choose(k, d, states, seat):\n"
    start = Druidenwalzer.new(seed=1)
    answers = []
    for last in ("0", "legal(k, d) - 1"):
        (folder / "own_edited.py").write_text(f"{text}    count = legal(k, d)\n    return d.moves[min(count, {last})]\n", encoding="utf-8")
        sys.modules.pop("own_edited", None)
        assert start.to_move is not None
        answers.append(find_bot(Druidenwalzer, "own_edited:choose", plain=False).choose(start.knowledge[start.to_move], seed=1))
    assert answers == [start.actions()[0], start.actions()[-1]]


def test_a_ladder_measures_a_bot_of_ones_own_against_the_levels(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The levels stand where they were measured; an edit of the bot's file makes its games those of another bot."""
    path = folder / "mine.jsonl"
    ladder = Ladder(Druidenwalzer, path, ["own_forms:first"])
    played = list(islice(ladder.run(1), 4))
    assert {"own_forms:first"} < {name for game in played for name in game.seats} <= {"own_forms:first", *LEVELS}
    model = ladder.fit()
    strengths = measured("druidenwalzer")
    assert model.rating("level-5", REFERENCE).elo == pytest.approx(strengths["level-5"].elo - strengths[REFERENCE].elo)
    assert model.within("level-5", REFERENCE) == 0 < model.within("own_forms:first", REFERENCE)
    assert main(["ladder", "druidenwalzer", "--seats", "own_forms:first", "--resume", str(path), "--minutes", "0"]) == 0
    told = capsys.readouterr().out
    assert "own_forms:first" in told
    assert len(Ladder(Druidenwalzer, path, ["own_forms:first"]).games) == 4
    (folder / "own_forms.py").write_text(FORMS + "\n# better\n", encoding="utf-8")
    assert Ladder(Druidenwalzer, path, ["own_forms:first"]).outdated == 4
    for seats in ("level-3", "own_forms:first,greedy", "", "own_forms:nothing"):
        assert main(["ladder", "druidenwalzer", "--seats", seats, "--resume", str(path), "--minutes", "0"]) == 2
    assert main(["ladder", "druidenwalzer", "--seats", "own_forms:first", "--resume", str(path), "--publish", "x.svg"]) == 2


FAULTY = """
from drunemeton.rules.kernel import rule
from drunemeton.rules.game import legal

def helper(k):
    return 1

@rule
def calls_what_is_no_rule(k, d, states, seat):
    return helper(k)

@rule
def names_what_is_not_there(k, d, states, seat):
    return not_there

@rule
def reads_no_field(k, d, states, seat):
    return k.nonsense

@rule
def opens_a_file(k, d, states, seat):
    with open("x") as f:
        return 1

@rule
def calls_wrongly(k, d, states, seat):
    return legal(k)

@rule
def speaks(k, d, states, seat):
    return "W 1"

@rule
def halves(k, d, states, seat):
    return 0.5

@rule
def takes_two(k, d):
    return 0

@rule
def yields(k, d, states, seat):
    yield 0

def two(position, more):
    return 0

async def waits(position):
    return 0

def leaves(position):
    raise SystemExit(3)
"""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("calls_what_is_no_rule", r"cannot be compiled: .*helper.*\(own_faulty.py, line 10\)"),
        ("names_what_is_not_there", "cannot be compiled: .*'not_there' is not defined"),
        ("reads_no_field", "cannot be compiled: .*nonsense"),
        ("opens_a_file", "cannot be compiled: .*not supported"),
        ("calls_wrongly", "cannot be compiled: .*missing a required argument"),
        ("speaks", "answered 'W 1', which is no legal action"),
        ("halves", "answered 0.5, which is no legal action"),
        ("takes_two", "cannot be asked as choose.k, d, states, seat.: too many"),
        ("yields", "neither await nor yield"),
        ("two", "cannot be asked as choose.position.: missing a required argument"),
        ("waits", "neither await nor yield"),
        ("leaves", "failed with SystemExit: 3"),
    ],
)
def test_a_function_that_is_no_bot_is_refused_in_a_sentence(folder: Path, name: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "own_faulty.py").write_text(FAULTY, encoding="utf-8")
    words = ["simulate", "druidenwalzer", "--games", "1", "--seats", f"own_faulty:{name},random"]
    assert main(words) == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert re.search(said, told), told
    assert len(told) < 420


SHELVES = """
from drunemeton.rules.game import legal
from drunemeton.rules.kernel import rule
from own_settings import PLACE

@rule
def lowest(k, d, states, seat):
    return d.moves[legal(k, d) * 0]

@rule
def highest(k, d, states, seat):
    count = legal(k, d)
    return d.moves[count - 1]

@rule
def set_elsewhere(k, d, states, seat):
    count = legal(k, d)
    return d.moves[min(count - 1, PLACE)]

def made(place):
    @rule
    def choose(k, d, states, seat):
        count = legal(k, d)
        return d.moves[min(count - 1, place)]
    return choose

bottom, top = made(0), made(99)
"""


def test_rules_of_one_file_are_different_bots(folder: Path) -> None:
    """What was compiled for one must not answer for another, nor for the same one with another value in it."""
    start = Druidenwalzer.new(seed=1)
    knowledge = start.knowledge[start.to_move or 0]
    (folder / "own_shelves.py").write_text(SHELVES, encoding="utf-8")

    def answer(name: str) -> int:
        return int(find_bot(Druidenwalzer, f"own_shelves:{name}", plain=False).choose(knowledge, seed=1))

    answers = {}
    for place in (0, 99):
        (folder / "own_settings.py").write_text(f"PLACE = {place}\n", encoding="utf-8")
        for module in ("own_settings", "own_shelves"):
            sys.modules.pop(module, None)
        answers[place] = answer("set_elsewhere")
    low, high = start.actions()[0], start.actions()[-1]
    assert low != high
    assert answers == {0: low, 99: high}
    assert [answer(name) for name in ("lowest", "highest", "bottom", "top")] == [low, high, low, high]
