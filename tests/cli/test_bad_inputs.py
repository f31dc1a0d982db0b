"""Whatever is typed wrongly, at every sub-command: a sentence that says what to do, never a traceback, and never a raw key."""

from __future__ import annotations

import argparse
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from drunemeton.cli import _parser, main

RELEASED = Path(__file__).parents[1] / "records" / "released"
GOOD = RELEASED / "druidenwalzer-1-default.txt"
RUNNING = RELEASED / "druidenwalzer-2026-11-running.txt"
TEXT = GOOD.read_text(encoding="utf-8")
NO_NUMBERS = ("x", "", "-1", "1.5", "1e3", "٣", "0x10")
NO_FILES = ("/nowhere/at/all.txt", "/", "")

# Files that a test finds under these names in its folder.
FILES = {
    "empty.txt": b"",
    "hello.txt": b"hello\n",
    "bytes.txt": b"\xff\xfe\x00\x01",
    "no-json.txt": b"{not json}\n",
    "other-json.txt": b'{"a": 1}\n',
    "deep.json": b"[" * 100_000,
    "deep.toml": b"trees = " + b"[" * 100_000,
    "lab.json": b'{"lab": 1}\n',
    "lab.toml": b'game = "druidenwalzer"\nplayers = ["random", "random"]\ndeals = 2\n',
    "hello.npz": b"hello\n",
    "broken.toml": b"trees = ",
    "binary.toml": b"\xff\xfe",
    "unknown.toml": b"forest = 1\n",
    "range.toml": b"trees = 7\n",
    "kind.toml": b'trees = "four"\n',
    "deck.toml": b"[components.sun]\n'1<' = 3\n",
    "components.toml": b"components = 3\n",
    "nameless.toml": b"[[experiment]]\ndeals = 3\n",
    "shared.toml": b'[[experiment]]\nname = "one"\nvary = "nothing"\n',
    "format.txt": TEXT.replace("record 1", "record 2", 1).encode(),
    "game.txt": TEXT.replace("game druidenwalzer", "game chess", 1).encode(),
    "rules.txt": TEXT.replace("rules 1", "rules 7", 1).encode(),
    "seats.txt": TEXT.replace("seats 2", "seats two", 1).encode(),
    "many-seats.txt": TEXT.replace("seats 2", "seats 999999999", 1).encode(),
    "options.txt": TEXT.replace("options {", "options {{", 1).encode(),
    "order.txt": TEXT.replace("\n5 ", "\n6 ", 1).encode(),
    "move.txt": re.sub(r"\n5 (\w+) .*", r"\n5 \1 ZZ 9", TEXT, count=1).encode(),
    "illegal.txt": re.sub(r"\n5 (\w+) .*", r"\n5 \1 J black", TEXT, count=1).encode(),
    "cut.txt": TEXT[: len(TEXT) // 2].encode(),
    "story.txt": TEXT.replace('"kind": "druid_set"', '"kind": "druid_sat"', 1).encode(),
}
DAMAGED = tuple(name for name in FILES if name.endswith(".txt"))
LAID_DEEP = ("deep.json", "lab.json")
NO_OPTIONS = tuple(name for name in FILES if name.endswith(".toml") and name != "lab.toml")


def _cases() -> Iterator[list[str]]:
    for cases in (_addresses, _numbers, _players, _files, _records, _puzzles, _training, _experiments, _changes):
        yield from cases()


def _addresses() -> Iterator[list[str]]:
    yield from ([], ["--nonsense"], ["nonsense"], ["-x"], ["--port"], ["--port", "abc"], ["--port", "-5"], ["--store"])[1:]
    for port in ("x", "-1", "65536", "1.5", ""):
        yield ["serve", "--port", port]
        yield ["replay", str(GOOD), "--port", port]
    for url in ("druids.example", "ftp://x", "https://", "https://x/sub", "https://x?y", "", "https://["):
        yield ["serve", "--public-url", url]
    for address in ("x", "x:y", "x:0", "x:65536", ":8137", "a b:8137", "http://x:8137", ""):
        yield ["serve", "--address", address]
    yield ["serve", "--store", ""]
    for host in ("", " ", "a b", "http://x"):
        yield ["serve", "--host", host]
    for store in ("mysql://x/y", "http://x", "https://druids.example"):
        yield from (["serve", "--store", store], ["move", store, "x.db"], ["move", "hello.txt", store])
        yield ["backup", "x.db", "--store", store]
    yield ["backup", "x.db", "--store", "postgresql://x/y"]
    for option in ("--port", "--address"):
        yield ["serve", option, ("x:" if option == "--address" else "") + "9" * 5000]
    yield from (["backup"], ["backup", "/nowhere/copy.db", "--store", "/nowhere/tables.db"], ["backup", "x.db", "--store", "hello.txt"])
    for store in ("hello.txt/x.db", "/proc/nowhere/x.db"):
        yield ["backup", "/nowhere/copy.db", "--store", store]
        yield ["move", store, "x.db"]


def _numbers() -> Iterator[list[str]]:
    for command in ("play", "simulate", "ladder", "lessons"):
        yield [command, "chess"]
    yield from (
        ["play"],
        ["play", "druidenwalzer", "--lang", "xx"],
        ["play", "druidenwalzer", "--url"],
        ["simulate"],
        ["ladder", "celtica"],
    )
    for number in NO_NUMBERS:
        yield ["simulate", "celtica", "--games", number]
        yield ["simulate", "celtica", "--seed", number]
        yield ["play", "celtica", "--seed", number]
        yield ["analyse", str(GOOD), "--move", number]
        yield ["record", "show", str(GOOD), "--move", number]
    for number in (*NO_NUMBERS[:3], "0", "9" * 13, "9" * 5000):
        yield ["simulate", "celtica", "--processes", number]
        yield ["analyse", str(GOOD), "--simulations", number]
        yield ["analyse", str(GOOD), "--best", number]
    for span in ("x", "-1", "nan", "inf", ""):
        yield ["ladder", "celtica", "--resume", "new.jsonl", "--minutes", span]
        yield ["analyse", str(GOOD), "--seconds", span]


def _players() -> Iterator[list[str]]:
    for seats in ("", "human", "human,", "human,nobody", "greedy,greedy,greedy"):
        yield ["play", "druidenwalzer", "--seats", seats]
        if "," in seats:
            yield ["simulate", "druidenwalzer", "--seats", seats]
    yield ["simulate", "druidenwalzer", "--seats", "random,random", "--games", "3", "--rotate"]
    for bot in ("nowhere_at_all:Bot", "json:nothing", ":", "json:", "../json:dumps", "json.nowhere:Bot"):
        yield ["simulate", "druidenwalzer", "--games", "1", "--seats", f"{bot},random"]
        yield ["play", "druidenwalzer", "--seats", f"human,{bot}"]
        yield ["ladder", "druidenwalzer", "--minutes", "0", "--resume", "new.jsonl", "--seats", bot]
    for bot in ("level-3", "", "json:dumps,", "json:decoder", "nowhere.npz", "hello.npz", "other.json", "deep.json"):
        yield ["ladder", "druidenwalzer", "--minutes", "0", "--resume", "new.jsonl", "--seats", bot]
    yield from (["docs", "nowhere"], ["docs", "../LICENSE"], ["docs", ""])


def _files() -> Iterator[list[str]]:
    for path in (*NO_FILES, *NO_OPTIONS):
        yield ["play", "druidenwalzer", "--options", path]
        yield ["simulate", "druidenwalzer", "--games", "1", "--options", path]
    for path in ("hello.txt/x", "/proc/nowhere/x"):  # nobody can write there, not even root
        for option in ("--csv", "--resume", "--records"):
            yield ["simulate", "druidenwalzer", "--games", "1", "--seats", "random,random", option, path]
        yield ["play", "druidenwalzer", "--save", path]
        yield ["ladder", "druidenwalzer", "--minutes", "0", "--resume", "new.jsonl", "--publish", path]
    for path in ("", "."):
        for option in ("--csv", "--resume"):
            yield ["simulate", "druidenwalzer", "--games", "1", "--seats", "random,random", option, path]
        yield ["play", "druidenwalzer", "--seats", "random,random", "--save", path]
        yield ["ladder", "druidenwalzer", "--minutes", "0", "--resume", path]
        yield ["ladder", "druidenwalzer", "--minutes", "0", "--resume", "new.jsonl", "--publish", path]
    for name in ("hello.txt", "no-json.txt", "other-json.txt", "bytes.txt", "deep.json"):
        yield ["simulate", "druidenwalzer", "--games", "1", "--seats", "random,random", "--resume", name]
        if name != "other-json.txt":  # a ladder's file may hold remarks beside its games
            yield ["ladder", "druidenwalzer", "--minutes", "0", "--resume", name]


def _records() -> Iterator[list[str]]:
    for path in (*NO_FILES, *DAMAGED):
        for action in ("show", "verify", "replay"):
            if action == "verify" or path not in {"story.txt", "move.txt", "illegal.txt", "cut.txt", "rules.txt", "many-seats.txt"}:
                yield ["record", action, path]
        if path != "story.txt":
            yield ["analyse", path]
        yield ["replay", path, "--no-browser"]
    for name in ("move.txt", "illegal.txt"):
        yield ["record", "replay", name]
    yield from (["record"], ["record", "show"], ["record", "sing", str(GOOD)], ["record", "show", str(GOOD), "--seat", "nobody"])
    yield from (["record", "show", str(GOOD), "--move", "999"], ["record", "show", str(GOOD), "--move", "1", "--seat", "nobody"])
    yield from (["analyse", str(GOOD), "--move", "0"], ["analyse", str(GOOD), "--move", "999"], ["analyse", str(GOOD), "--seat", "nobody"])
    for words in (["celtica"], ["--seats", "human,greedy"], ["--seed", "0"], ["--set", "trees=3"], ["--options", "unknown.toml"]):
        yield ["play", "--url", "http://127.0.0.1:9/t/x#k", *words]
    yield ["play", "--url", "ws://127.0.0.1:9/t/x#k"]
    for url in ("nowhere", "http://127.0.0.1:9/t/x", "ftp://x/t/y", "", "http://[/t/x"):
        yield ["record", "fetch", url]
        yield ["play", "--url", url or "-"]
    for words in (["nowhere.db", "x.db"], ["hello.txt", "x.db"], ["", "x.db"], ["hello.txt", "hello.txt"], ["postgresql://[", "x.db"]):
        yield ["move", *words]
    for words in (["chess"], ["celtica", "--out", "hello.txt/x"], ["celtica", "--out", "/"], ["celtica", "--out", ""]):
        yield ["components", *words]
    for path in (*NO_FILES, *DAMAGED):
        if path != "story.txt":  # a review asks what was played, not what was told of it
            yield ["review", path]
    yield from (["review"], ["review", str(GOOD), "--lang", "xx"], ["review", str(GOOD), "--threads", "0"])


def _puzzles() -> Iterator[list[str]]:
    for words in (
        [],
        ["chess"],
        *(["celtica", option, wrong] for option in ("--count", "--processes") for wrong in ("0", "x")),
    ):
        yield ["puzzles", *words]
    yield from (
        ["puzzles", "celtica", "--minutes", "x"],
        ["puzzles", "celtica", "--seats", "9"],
        ["puzzles", "celtica", "--file", "hello.txt/x"],
        ["puzzles", "celtica", "--file", "/"],
        *(["puzzles", "celtica", "--file", name] for name in ("hello.txt", "no-json.txt", "other-json.txt", "bytes.txt", "deep.json")),
        *(["puzzles", "celtica", "--seed", number] for number in NO_NUMBERS),
        ["puzzles", "celtica", "--check", "--file", "puzzles.jsonl"],
        ["puzzles", "celtica", "--check", "--publish"],
    )


def _changes() -> Iterator[list[str]]:
    for changed in ("", "=", "nothing=1", "trees", "trees=", "trees=x", "trees=7", "trees=4,9", "sun.xx=1", "sun.5<=-1"):
        yield ["simulate", "druidenwalzer", "--games", "1", "--seats", "random,random", f"--set={changed}"]
    for place in ("mars", "", "ray:/x", "gpu:2"):
        yield ["simulate", "druidenwalzer", "--games", "1", "--seats", "random,random", "--on", place]
    yield ["simulate", "druidenwalzer", "--games", "1", "--seats", "level-2,random", "--on", "gpu"]
    yield ["simulate", "druidenwalzer", "--games", "1", "--on", "gpu", "--records", "/tmp"]
    for weights in ("nowhere.npz", "hello.npz", ".npz", "deep.json"):
        yield ["simulate", "druidenwalzer", "--games", "1", "--seats", f"{weights},random"]
        yield ["play", "druidenwalzer", "--seats", f"human,{weights}"]
    yield from (["bench"], ["bench", "chess"], ["bench", ""], ["bench", "../rules"], ["bench", "rules", "--versus-ismcts", "x"])
    yield from (["bench", "rules", "--part", "aec"], ["bench", "rules", "--versus-ismcts", "3"], ["bench", "rules", "--keep", "x.jsonl"])


def _training() -> Iterator[list[str]]:
    for words in (["chess"], [], ["celtica"], ["celtica", "--out"]):
        yield ["train", *words]
    for option in ("--games", "--watched", "--width", "--judged"):
        yield ["train", "celtica", "--out", "run", option, "0"]
    yield from (["train", "celtica", "--out", "run", option, "x"] for option in ("--minutes", "--seed", "--games", "--updates"))
    if importlib.util.find_spec("torch") is None:
        yield ["train", "celtica", "--out", "run"]
    for words in (["--seats", "9"], ["--seats", "x"], ["--plan", "hello.txt"], ["--plan", "nowhere"], ["--from", "nowhere"], ["--resume"]):
        yield ["train", "celtica", "--out", "run", *words]


def _experiments() -> Iterator[list[str]]:
    for words in (
        ["--seats", "nobody,greedy"],
        ["--seats", ""],
        ["--seats", "greedy"],
        ["--set", "trees=9"],
        ["--set", "x=1"],
        ["--deals", "1"],
    ):
        yield ["lab", "new", "druidenwalzer", *words]
    for name in ("hello.txt", "bytes.txt", "deep.toml", "unknown.toml", "nameless.toml", "shared.toml", "nowhere.toml"):
        yield ["lab", "study", "druidenwalzer", "--out", ".", "--file", name]
    for words in (["--players", "greedy"], ["--players", "nobody=3"], ["--out", "hello.txt/x"], ["--page", "nowhere.md"]):
        yield ["lab", "rulings", "--out", ".", *words]
    for goal, knob in (
        ("nothing=1..2", "trees=3"),
        ("x", "trees=3"),
        ("length.minutes=..", "trees=3"),
        ("starter.wins=..0.5", "trees=9"),
        ("starter.wins=0.9..0.1", "trees=3"),
    ):
        yield ["lab", "search", "druidenwalzer", "--deals", "3", "--goal", goal, "--set", knob]
    yield from (
        ["lab", "study", "druidenwalzer", "--out", ".", "--only", "nothing"],
        ["lab", "page", "celtica", "--from", ".", "--into", "x.md"],
    )
    yield from (["lab", "game", "hello.txt", "--deal", "1"], ["lab", "game", "hello.txt"], ["lab", "things"], ["lab", "things", "chess"])
    yield from (["lab"], ["lab", "sing"], ["lab", "new"], ["lab", "new", "chess"], ["lab", "run"], ["lab", "report"], ["lab", "compare"])
    for path in (*NO_FILES, *NO_OPTIONS, "hello.txt", "bytes.txt"):
        yield ["lab", "run", path]
    for out in (".", "/", "hello.txt/x.json", "/proc/nowhere/x.json"):
        yield ["lab", "run", "lab.toml", "--out", out]
    for path in (*NO_FILES, "hello.txt", "no-json.txt", "other-json.txt", "bytes.txt", *LAID_DEEP):
        yield ["lab", "report", path]
        yield ["lab", "game", path, "--deal", "1"]
        yield ["lab", "compare", path, path]


CASES = list(_cases())
SAYS_NOTHING = re.compile(r"Traceback|invalid _?\w+ value|object at 0x|\bweb\.\w+|\b(dw|ce|dd)\.[a-z_]+|Errno")


def test_many_are_tried_at_every_command() -> None:
    assert len(CASES) >= 120
    commands = next(action.choices for action in _parser()._actions if isinstance(action, argparse._SubParsersAction))
    assert {words[0] for words in CASES} >= set(commands)


@pytest.mark.parametrize("line", ["3", "[1]", "[1, 0, 3", "[" * 100_000, "null"])
def test_what_was_kept_and_is_damaged_is_named(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    simulate = ["simulate", "druidenwalzer", "--games", "1", "--seats", "random,random", "--resume", str(tmp_path / "games")]
    assert main(simulate) == 0
    with (tmp_path / "games").open("a", encoding="utf-8") as file:
        print(line, file=file)
    simulate[3] = "2"
    capsys.readouterr()
    assert main(simulate) == 2
    assert "a line does not hold deal 2" in capsys.readouterr().err


@pytest.mark.parametrize("words", CASES, ids=lambda words: " ".join(words).replace(str(RELEASED) + "/", "")[:90])
def test_a_sentence_says_what_is_wrong(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("drunemeton.server.serve", lambda **_: pytest.fail("a server was started"))
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("a game was begun"))
    try:
        status = main(words)
    except SystemExit as end:
        status = int(end.code or 0)
    said = capsys.readouterr().err
    assert status in {1, 2}
    assert all((tmp_path / name).read_bytes() == content for name, content in FILES.items())
    assert not SAYS_NOTHING.search(said), said
    assert len(said.strip().splitlines()[-1]) > 20, said
