"""A game is its own places, proved: a small fourth game (`tests/fourth`) is dropped into a copy of the house, and plays everywhere."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

from drunemeton.rules.game import playable

ROOT = Path(__file__).parents[1]
FOURTH = ROOT / "tests" / "fourth"
NAME = "hazel"
PYTEST = ("-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-x", "-q", "-rA")
LEFT_OUT = {"node_modules", "assets", "__pycache__", ".git", "golden", "released", "played", "fourth"}


def own_places() -> set[str]:
    """The files that the fourth game brings, with GAME for its name."""
    found = {path.relative_to(FOURTH).as_posix() for path in FOURTH.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    return {path.replace(NAME, "GAME") for path in found - {"README.md"}}


def listed_places() -> dict[str, bool]:
    """The files that a game needs as the documentation lists them, LANG written out, and whether each must be there."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    block = re.search(r"## What a new game needs.*?```\n(.*?)```", text, re.DOTALL)
    assert block
    places = {}
    for line in block[1].splitlines():
        path, _, about = line.partition(" ")
        for language in ("en", "de", "nl", "fr") if "LANG" in path else ("",):
            places[path.replace("LANG", language)] = "(optional)" not in about
    return places


def test_the_documentation_lists_exactly_the_files_that_a_game_needs() -> None:
    listed = listed_places()
    assert sorted(own_places() - set(listed)) == [], "the fourth game needs a file that is not listed"
    assert sorted(path for path, needed in listed.items() if needed and path not in own_places()) == []
    for name in playable():
        missing = [path for path, needed in listed.items() if needed and not (ROOT / path.replace("GAME", name)).exists()]
        assert missing == [], name


def test_no_file_of_a_game_is_left_out_of_the_list() -> None:
    """A path may stand for several: with `*`, or as a folder."""
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    patterns = [f"{path}*" if path.endswith("/") else path for path in listed_places()]
    patterns.append("tests/*released/GAME*")  # what must be read for ever, whichever game it is of
    for name in playable():
        own = [path for path in tracked if any(re.fullmatch(rf"{name}(_\w+)?", part.partition(".")[0]) for part in path.split("/"))]
        assert len(own) > 40
        named = [pattern.replace("GAME", name) for pattern in patterns]
        assert [path for path in own if not any(fnmatch(path, pattern) for pattern in named)] == []


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the house with the fourth game in it."""
    copy = tmp_path_factory.mktemp("house")
    for name in ("src", "tests", "docs", "frontend", "benchmarks"):
        shutil.copytree(ROOT / name, copy / name, ignore=lambda _, names: LEFT_OUT & set(names))
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, copy / name)
    assert not any(NAME in path.name for path in copy.rglob("*") if path.name != "test_fourth.py")
    shutil.copytree(FOURTH, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "README.md"))
    return copy


def run(house: Path, *words: str, plain: bool = True, said: str = "") -> str:
    """Run Python in that house; what it prints."""
    environment = {**os.environ, "PYTHONPATH": str(house / "src"), "DRUNEMETON_PLAIN": "1" if plain else ""}
    done = subprocess.run(
        [sys.executable, *words], cwd=house, env=environment, input=said, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


def command(house: Path, *words: str, said: str = "") -> str:
    """Run `drunemeton` in that house."""
    return run(house, "-c", "import sys; from drunemeton.cli import main; sys.exit(main())", *words, said=said)


def picked_up(house: Path, *words: str, plain: bool = True) -> int:
    """Run tests of that house that name the game; how many there were."""
    told = run(house, *PYTEST, *words, "-k", NAME, plain=plain)
    return len(re.findall(r"^PASSED", told, re.MULTILINE))


def test_it_plays_in_the_terminal_and_its_record_verifies(house: Path) -> None:
    played = ("play", NAME, "--seed", "3", "--seats")
    assert "Eiche" in command(house, *played, "greedy,random,greedy", "--lang", "de", "--save", "game.txt")
    assert f"{NAME}, " in command(house, "record", "verify", "game.txt")
    assert "lay " in command(house, *played, "human,greedy,greedy", said="? lay 99\nlog\nquit\n")


def test_the_tests_of_all_games_pick_it_up(house: Path) -> None:
    """Rules, knowledge, non-interference, reasons, records, words, rules' texts."""
    assert picked_up(house, "tests/rules", "tests/records", "tests/locales") > 35


def test_its_words_and_its_silence_elsewhere(house: Path) -> None:
    """The catalogues with its words hold, and no other room names it."""
    run(house, *PYTEST, "tests/locales")
    run(house, *PYTEST, "tests/test_house.py")


PLANTED = """
import json, sys
from pathlib import Path
from tests import test_house
name = sys.argv[1]
rooms, words = test_house.test_no_room_names_a_game, Path("src/drunemeton/locales/en/web.json")
plants = [
    (rooms, Path("src/drunemeton/table/planted.py"), f"THREE_SEATS = ('{name}',)"),
    (rooms, Path("benchmarks/planted.py"), f"def slow(game):\\n    return game.name == '{name.title()}'"),
    (rooms, Path("frontend/src/lib/planted.ts"), f"export const isIt = (game: string) => game === '{name}'"),
    (rooms, Path("frontend/src/parts/Planted.svelte"), f"<style>.{name} {{ color: red; }}</style>"),
    (rooms, Path("src/drunemeton/rules/celtica/planted.py"), f"OTHER = '{name}'"),
    (test_house.test_a_game_has_its_words_to_itself, words, json.dumps({**json.loads(words.read_text()), f"web.{name}.more": "More"})),
]
for check, path, text in plants:
    check()
    before = path.read_text() if path.exists() else None
    path.write_text(text)
    try:
        check()
    except AssertionError as found:
        assert path.name in str(found), found
    else:
        raise SystemExit(f"nobody finds {path}")
    path.unlink() if before is None else path.write_text(before)
check()
print("all found")
"""


def test_a_room_that_names_it_is_found(house: Path) -> None:
    """Whichever room that is: the table, a bench, the page, another game, the common words."""
    assert "all found" in run(house, "-c", PLANTED, NAME)


def test_bots_and_servers_play_it(house: Path) -> None:
    assert picked_up(house, "tests/bots/test_bots.py", "tests/server/test_replay.py", "tests/server/test_games.py") >= 5


@pytest.mark.proof
def test_searching_bots_and_environments_play_it(house: Path) -> None:
    """Compiled: the levels, PettingZoo, Gymnasium, OpenSpiel."""
    assert picked_up(house, "tests/bots/test_search.py", "tests/envs", plain=False) > 20


MEASURED = """
import sys
from benchmarks import bench_envs, bench_rules, bench_search
from drunemeton.rules.game import find_game
name = sys.argv[1]; game = find_game(name)
assert bench_rules._compiled(game)() > bench_rules._plain(game)() > 0 < bench_rules._plain_game(game)
assert bench_envs._aec(name)() > 0 < bench_envs._vector(name, 64)()
assert min(bench_envs._observation(name)) > 0
row = bench_search._a_turn(name, 5)
assert row["figure"] > 0 and row["bar"] is None, row
"""


@pytest.mark.proof
def test_the_benches_measure_it(house: Path) -> None:
    """Without a bar, which nobody has asked of it."""
    run(house, "-c", MEASURED, NAME, plain=False)


@pytest.mark.proof
def test_its_page_is_built_and_played_in_a_browser(house: Path) -> None:
    """At the plain table, from the lobby to the end."""
    lock, ours = (ROOT / "frontend" / "package-lock.json").read_bytes(), ROOT / "frontend" / "node_modules"
    stamp, modules = ours / ".drunemeton-lock", house / "frontend" / "node_modules"
    # Packages of another lock would be thrown away and fetched anew, through the link.
    if not modules.exists() and stamp.is_file() and stamp.read_text(encoding="ascii") == hashlib.sha256(lock).hexdigest():
        modules.symlink_to(ours)
    assert picked_up(house, "tests/browser/test_hazel.py") == 1
