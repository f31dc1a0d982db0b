"""Long commands that are ended, by Ctrl+C, by `kill`, by a process that dies, or by another run: nothing is lost, and nothing is noise."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from drunemeton.bots.kept import alone_at, whole_lines
from drunemeton.cli import main
from drunemeton.rules.errors import GameError

OUT = pytest.CaptureFixture[str]
MANY = ["simulate", "druidenwalzer", "--seats", "level-1,random", "--games", "100000000", "--processes", "2", "--resume", "kept.jsonl"]
LADDER = ["ladder", "druidenwalzer", "--processes", "2", "--resume", "kept.jsonl"]
STUDY = ["lab", "study", "druidenwalzer", "--out", ".", "--times", "1000", "--processes", "2"]
RANDOM = ["simulate", "druidenwalzer", "--seats", "random,random", "--resume", "kept.jsonl"]

GOOD = str(Path(__file__).parents[1] / "records" / "released" / "druidenwalzer-1-default.txt")

HEARING = """
import signal, sys
from drunemeton.cli import main

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs are begun with Ctrl+C ignored
sys.exit(main(sys.argv[1:]))
"""


def ended_by(number: int, words: list[str], folder: Path, wait_for: str) -> tuple[int, str, float]:
    """A command whose whole group hears a signal as soon as it has said something: its status, what it said, how long it took to end."""
    with subprocess.Popen(
        [sys.executable, "-P", "-c", HEARING, *words],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        assert running.stderr is not None
        said = ""
        while wait_for not in said:
            line = running.stderr.readline()
            assert line, said
            said += line
        time.sleep(0.2)  # its processes are beginning by now
        began = time.monotonic()
        os.killpg(running.pid, number)
        said += running.stderr.read()
        return running.wait(60), said, time.monotonic() - began


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "wait_for", "goes_on"),
    [(MANY, "playing, 0 of", "the same command goes on"), (LADDER, "2 games", "the same command goes on"), (STUDY, "deals", "goes on")],
    ids=["simulate", "ladder", "study"],
)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_ends_a_long_command_is_told_how_it_goes_on(number: int, words: list[str], wait_for: str, goes_on: str, tmp_path: Path) -> None:
    status, said, took = ended_by(number, words, tmp_path, wait_for)
    assert status == 128 + number
    assert goes_on in said
    assert "Traceback" not in said, said
    assert "resource_tracker" not in said, said
    assert took < 20  # not for what its processes have begun


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "says"), [(["play", "celtica", "--seats", "level-8,greedy"], "Compiling"), (["analyse", GOOD], "compiling")]
)
def test_nobody_waits_for_the_compiler_who_has_nothing_to_lose(
    words: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRUNEMETON_CACHE", str(tmp_path / "cold"))
    status, said, seconds = ended_by(signal.SIGINT, words, tmp_path, says)
    assert (status, said.count("\n")) == (-signal.SIGINT, 1)
    assert seconds < 3


@pytest.mark.slow
def test_who_waits_for_a_review_to_be_compiled_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRUNEMETON_CACHE", str(tmp_path / "cold"))
    assert ended_by(signal.SIGINT, ["review", GOOD], tmp_path, "compiling the rules")[0] == 130


def test_a_process_that_dies_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: OUT) -> None:
    source = "import multiprocessing, os\n\ndef die(position):\n    return position.actions()[0] if %s is None else os._exit(9)\n"
    (tmp_path / "dying_bots.py").write_text(source % "multiprocessing.parent_process()", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main(["simulate", "druidenwalzer", "--seats", "dying_bots:die,random", "--games", "4", "--processes", "2"]) == 1
    said = capsys.readouterr().err
    assert "a process that played was ended" in said
    assert "Traceback" not in said


def test_what_was_played_before_a_bot_failed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: OUT) -> None:
    source = (
        "asked = 0\n\ndef tires(position):\n    global asked\n    asked += 1\n    return position.actions()[0] if asked < 60 else None\n"
    )
    (tmp_path / "tiring_bots.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main(["simulate", "druidenwalzer", "--seats", "tiring_bots:tires,random", "--games", "50", "--processes", "1"]) == 2
    told = capsys.readouterr()
    assert "tiring_bots:tires" in told.out
    assert "interrupted after" in told.err
    assert "answered None" in told.err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such locks")
@pytest.mark.parametrize("words", [[*RANDOM, "--games", "2"], [*LADDER, "--minutes", "1"], ["puzzles", "celtica", "--file", "kept.jsonl"]])
def test_two_runs_do_not_write_to_one_file(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: OUT) -> None:
    monkeypatch.chdir(tmp_path)
    with Path("kept.jsonl").open("a", encoding="utf-8") as other:
        alone_at(other, Path("kept.jsonl"))
        assert main(words) == 2
    assert "another run is writing to kept.jsonl" in capsys.readouterr().err
    assert Path("kept.jsonl").read_bytes() == b""


def test_a_file_that_is_none_is_not_gone_on_with(capsys: OUT) -> None:
    assert main(["simulate", "druidenwalzer", "--games", "1", "--seats", "random,random", "--resume", os.devnull]) == 2
    assert "name an ordinary file" in capsys.readouterr().err


def test_fewer_games_than_were_kept_take_none_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: OUT) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*RANDOM, "--games", "30"]) == 0
    kept = Path("kept.jsonl").read_bytes()
    capsys.readouterr()
    assert main([*RANDOM, "--games", "10", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 10
    assert Path("kept.jsonl").read_bytes() == kept


def test_a_table_is_written_over_only_when_there_will_be_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: OUT) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*RANDOM, "--games", "3", "--csv", "games.csv"]) == 0
    table = Path("games.csv").read_bytes()
    assert main([*RANDOM, "--games", "3", "--csv", "games.csv", "--seed", "9"]) == 2  # another simulation
    assert Path("games.csv").read_bytes() == table
    assert main([*RANDOM, "--games", "3", "--csv", "./kept.jsonl"]) == 2
    assert "--csv and --resume both name" in capsys.readouterr().err
    assert main([*RANDOM, "--games", "3"]) == 0  # the file of games is whole


def test_a_line_that_was_not_written_to_its_end_is_taken_away(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_bytes("ä\nb\nhalf".encode())
    with path.open("a+", encoding="utf-8", newline="") as file:
        file.seek(0)
        assert list(whole_lines(file)) == ["ä\n", "b\n"]
        file.write("c\n")
    assert path.read_bytes() == "ä\nb\nc\n".encode()


def test_a_ladder_goes_on_after_a_line_that_was_not_written_to_its_end(tmp_path: Path, capsys: OUT) -> None:
    path = tmp_path / "ladder.jsonl"
    path.write_text('{"ladder": "druidenwalzer"}\n{"game": "druid', encoding="utf-8")
    assert main(["ladder", "druidenwalzer", "--minutes", "0", "--resume", str(path)]) == 0
    path.write_text("something of yours", encoding="utf-8")
    assert main(["ladder", "druidenwalzer", "--minutes", "0", "--resume", str(path)]) == 2
    assert path.read_text(encoding="utf-8") == "something of yours"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["simulate", "druidenwalzer", "--seats", "random,random,random"], "it takes 2\n"),
        (["simulate", "celtica", "--seats", "random"], "it takes 2 to 5\n"),
        (["puzzles", "druidenwalzer", "--seats", "3"], "is for 2\n"),
    ],
)
def test_one_number_is_not_said_as_two(words: list[str], says: str, capsys: OUT) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.endswith(says)


def test_a_refused_lock_closes_its_file(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    with path.open("a", encoding="utf-8") as one, path.open("a", encoding="utf-8") as other:
        alone_at(one, path)
        if sys.platform != "win32":
            with pytest.raises(GameError):
                alone_at(other, path)
            assert other.closed
