"""The command line: whole games at the terminal, simulations, records, and errors that help."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import hatch_build
from drunemeton import cli, records
from drunemeton.bots.details import kinds_of
from drunemeton.bots.match import Match
from drunemeton.bots.simulation import Simulation
from drunemeton.cli import main
from drunemeton.rules.druidenwalzer import Druidenwalzer
from drunemeton.rules.druidenwalzer.state import JUMP, RETREAT_HAND
from drunemeton.rules.game import find_game
from drunemeton.server import Settings, documentation
from drunemeton.terminal.local import LocalTerminal
from drunemeton.terminal.progress import Progress
from tests.server.house import House

OUT = pytest.CaptureFixture[str]


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["play", "--help"],
        ["simulate", "--help"],
        ["record", "--help"],
        ["bench", "--help"],
        ["serve", "--help"],
        ["replay", "--help"],
    ],
)
def test_help_helps(words: list[str], capsys: OUT) -> None:
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 0
    assert "usage: drunemeton" in capsys.readouterr().out


def test_help_lists_the_options_of_the_games(capsys: OUT) -> None:
    with pytest.raises(SystemExit):
        main(["simulate", "--help"])
    printed = capsys.readouterr().out
    assert "tokens_to_conquer        6 (1 to 6)" in printed
    assert "rotated | mirrored" in printed
    assert "Celtica, 2 to 5 players" in printed


def test_a_whole_game_at_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: OUT, tmp_path: Path) -> None:
    """A person who types a random legal move each time, and everything else now and then."""
    rng = random.Random(3)
    told = tmp_path / "game.txt"

    def answer(self: LocalTerminal, seat: int) -> None:
        extras = ["?", "moves", "log", "board", "undo", "nonsense", f"? {self.game.legal()[0]}", "? W 9<@9"]
        self.seat = seat
        self.tell_news(seat)
        for extra in rng.sample(extras, 2):
            if self.game.to_move == seat and self.command(extra):
                return
        assert self.command(rng.choice(self.game.legal()))

    monkeypatch.setattr(LocalTerminal, "ask", answer)
    assert main(["play", "druidenwalzer", "--seats", "human,greedy", "--seed", "5", "--save", str(told)]) == 0
    printed = capsys.readouterr().out
    assert "place 1" in printed
    assert main(["record", "verify", str(told)]) == 0
    assert "not auditable" in capsys.readouterr().out


def test_typing_at_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: OUT) -> None:
    typed(monkeypatch, "?\nW 5<@1\n1<\norange@1\nundo\norange@2\nquit\n")
    assert main(["play", "druidenwalzer", "--seats", "greedy,human", "--seed", "4"]) == 0
    printed = capsys.readouterr().out
    assert "First choose the arrow" in printed
    assert "(DW-2.1)" in printed
    assert "Moon draws" in printed
    assert "The table is left" in printed


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("de", ["Karten werden gemischt", "Mond (Mensch)", "den Tisch verlassen", "Es gibt nichts zurückzunehmen."]),
        ("nl", ["kaartjes geschud", "Maan (mens)", "de tafel verlaten", "Er is niets om terug te nemen."]),
        ("fr", ["On mélange", "Lune (humain)", "quitter la table", "Il n’y a rien à reprendre."]),
    ],
)
def test_other_languages_at_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: OUT, language: str, says: list[str]) -> None:
    typed(monkeypatch, "?\nundo\n1<\n")
    assert main(["play", "druidenwalzer", "--seats", "random,human", "--seed", "4", "--lang", language]) == 0
    printed = capsys.readouterr().out
    assert [words for words in says if words not in printed] == []
    assert "The shuffle" not in printed


def test_a_level_sits_at_the_table_by_its_name(monkeypatch: pytest.MonkeyPatch, capsys: OUT) -> None:
    typed(monkeypatch, "quit\n")
    assert main(["play", "druidenwalzer", "--seats", "human,level-3", "--seed", "4"]) == 0
    head = capsys.readouterr().out.splitlines()[0]
    assert head == "Druidenwalzer: Sun (human), Moon (Level 3)"


def test_two_people_hand_the_terminal_over_without_seeing_each_other(monkeypatch: pytest.MonkeyPatch, capsys: OUT) -> None:
    typed(monkeypatch, "1<\n\n1<\n\nquit\n")
    assert main(["play", "druidenwalzer", "--seats", "human,human", "--seed", "4"]) == 0
    after_handover = capsys.readouterr().out.split("press Enter when only you are looking.")[-1]
    assert "Sun draws a card" in after_handover
    assert "Moon draws m" in after_handover


@pytest.mark.slow
def test_simulate_counts(capsys: OUT, tmp_path: Path) -> None:
    table = tmp_path / "games.csv"
    assert main(["simulate", "druidenwalzer", "--games", "40", "--seats", "random,greedy", "--json", "--csv", str(table)]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["games"] == 40
    assert [(seat["seat"], seat["bot"]) for seat in summary["seats"]] == [("sun", "random"), ("moon", "greedy")]
    assert sum(seat["wins"] for seat in summary["seats"]) == pytest.approx(40)
    assert summary["seats"][1]["low"] < summary["seats"][1]["share"] <= summary["seats"][1]["high"]
    assert summary["seats"][1]["share"] > 0.8
    assert set(summary) == {"options", "asked", "games", "seats", "turns", "decisions", "ends"}
    assert set(summary["turns"]) == {"mean", "min", "max"}
    assert sum(summary["ends"].values()) == 40
    with table.open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 40


def test_simulate_compares_option_files_on_paired_deals(capsys: OUT, tmp_path: Path) -> None:
    short, same = tmp_path / "short.toml", tmp_path / "same.toml"
    short.write_text("tokens_to_conquer = 2\n", encoding="utf-8")
    same.write_text("", encoding="utf-8")
    words = ["simulate", "druidenwalzer", "--games", "30", "--options", str(same), str(same), str(short)]
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert "+0.0%  (95 %: +0.0% to +0.0%)" in printed
    assert main([*words, "--json"]) == 0
    first, second, third = json.loads(capsys.readouterr().out)
    assert {**second, "differences": None} == {**first, "against": str(same), "differences": None}
    assert [gap["mean"] for gap in second["differences"]] == [0, 0]
    assert sum(gap["mean"] for gap in third["differences"]) == pytest.approx(0)
    assert third["turns"]["mean"] < first["turns"]["mean"]


SMALL = ["simulate", "druidenwalzer", "--seats", "random,random", "--seed", "5"]


def test_an_interrupted_simulation_keeps_what_was_played_and_goes_on(capsys: OUT, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, table, whole = tmp_path / "kept.jsonl", tmp_path / "games.csv", tmp_path / "whole.csv"
    assert main([*SMALL, "--games", "30", "--json", "--csv", str(whole)]) == 0
    expected = json.loads(capsys.readouterr().out)
    count = 0

    def impatient(self: Progress, label: str) -> None:
        nonlocal count
        count += 1
        if count == 12:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Progress, "step", impatient)
        assert main([*SMALL, "--games", "30", "--json", "--csv", str(table), "--resume", str(kept)]) == 130
    said = capsys.readouterr()
    assert json.loads(said.out)["games"] == 12
    assert "interrupted after 12 of 30 games" in said.err
    assert len(table.read_text(encoding="utf-8").splitlines()) == 13
    with kept.open("a", encoding="utf-8") as file:
        file.write("[17, 0, [[2")  # the machine stopped while this was written
    assert main([*SMALL, "--games", "30", "--json", "--csv", str(table), "--resume", str(kept)]) == 0
    assert json.loads(capsys.readouterr().out) == expected
    assert table.read_text(encoding="utf-8") == whole.read_text(encoding="utf-8")
    assert main(["simulate", "druidenwalzer", "--seats", "random,greedy", "--seed", "5", "--resume", str(kept)]) == 2
    assert "another simulation" in capsys.readouterr().err


@pytest.mark.parametrize("seats", ["greedy,random", "greedy,level-1"])
def test_keeping_records_changes_no_game(seats: str, capsys: OUT, tmp_path: Path) -> None:
    told: list[tuple[str, str]] = []
    for keeping in ([], ["--records", str(tmp_path / "records")]):
        table = tmp_path / f"games{len(told)}.csv"
        words = ["simulate", "druidenwalzer", "--seats", seats, "--games", "8", "--rotate", "--seed", "3", "--processes", "1"]
        assert main([*words, "--csv", str(table), *keeping]) == 0
        told.append((table.read_text(encoding="utf-8"), capsys.readouterr().out))
    assert told[0] == told[1]


def test_records_of_simulated_games_are_those_that_were_counted(capsys: OUT, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    words = [*SMALL, "--games", "4", "--rotate", "--processes", "1", "--records", str(folder), "--csv", str(tmp_path / "g.csv")]
    assert main(words) == 0
    files = sorted(folder.iterdir())
    assert [path.name for path in files] == [f"druidenwalzer-{deal}-{turned}.txt" for deal in (5, 6) for turned in (0, 1)]
    with (tmp_path / "g.csv").open(encoding="utf-8") as file:
        for path, line in zip(files, csv.DictReader(file), strict=True):
            verdict = records.verify(records.read(path.read_text(encoding="utf-8")))
            assert verdict.result is not None
            places = [line["place_0"], line["place_1"]] if line["turned"] == "0" else [line["place_1"], line["place_0"]]
            assert (verdict.result.end, list(map(str, verdict.result.places))) == (line["end"], places)
            assert line["began"] == "moon"
            game = records.replay(records.read(path.read_text(encoding="utf-8")))
            for seat in (0, 1):
                player = (seat + int(line["turned"])) % 2
                taken = [step.action for step in game.steps if step.seat == seat]
                assert line[f"decisions_{player}"] == str(len(taken))
                assert line[f"jump_{player}"] == str(sum(JUMP <= action < RETREAT_HAND for action in taken))
                assert line[f"points_{player}"] == str(Druidenwalzer.points_of(game.state, seat))


@pytest.mark.slow
@pytest.mark.parametrize("players", [["random", "greedy"], ["random", "level-1"]])
def test_the_table_of_games_counts_actions_and_points_by_player(capsys: OUT, tmp_path: Path, players: list[str]) -> None:
    """However they are played, every decision is one action of one kind, and a tree lost is lost."""
    path = tmp_path / "g.csv"
    words = ["--games", "4", "--rotate", "--processes", "1", "--csv", str(path), "--seats", ",".join(players)]
    assert main(["simulate", "druidenwalzer", *words]) == 0
    with path.open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 4
    for line in lines:
        assert int(line["decisions_0"]) + int(line["decisions_1"]) == int(line["decisions"])
        for player in (0, 1):
            assert sum(int(line[f"{kind}_{player}"]) for kind in kinds_of(Druidenwalzer)) == int(line[f"decisions_{player}"])
            assert 0 <= int(line[f"points_{player}"]) <= 4
        assert int(line["waltz_0"]) > 0
        won = sorted((int(line[f"place_{player}"]), -int(line[f"points_{player}"])) for player in (0, 1))
        assert won[0][1] <= won[1][1]


def test_memory_does_not_grow_with_the_games() -> None:
    simulation = Simulation([Match(find_game("druidenwalzer"), ["random", "random"], plain=True)], 10**9, 1)
    tracemalloc.start()
    for _ in range(200):
        simulation.count([(30, 20, "conquest", [1, 2])])
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(20_000):
        simulation.count([(30, 20, "conquest", [1, 2])])
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < 20_000
    assert next(simulation.jobs()) == (1, 0)


def test_the_same_seed_gives_the_same_figures(capsys: OUT) -> None:
    printed = []
    for seed in ("7", "7", "8"):
        assert main(["simulate", "druidenwalzer", "--games", "20", "--seats", "greedy,random", "--seed", seed, "--json"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] != printed[2]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["play", "druidenwalzer", "--seats", "human,nobody"], "nobody"),
        (["play", "druidenwalzer", "--seats", "human"], "it takes 2"),
        (["play"], "name a game"),
        (["simulate", "druidenwalzer", "--seats", "random,wizard"], "wizard"),
        (["simulate", "druidenwalzer", "--options", "/nowhere.toml"], "/nowhere.toml"),
    ],
)
def test_bad_input_is_answered_with_what_was_wrong(words: list[str], says: str, capsys: OUT) -> None:
    assert main(words) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--port", "99999"], "0 to 65535"),
        (["--port", "-1"], "0 to 65535"),
        (["--public-url", "druids.example"], "looks like https://"),
        (["--public-url", "ftp://druids.example"], "looks like https://"),
        (["--public-url", "https://druids.example/sub"], "without a path"),
    ],
)
def test_a_server_is_not_started_at_an_address_that_cannot_be(words: list[str], says: str, capsys: OUT) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["serve", *words])
    assert refused.value.code == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("words", [["serve", "--no-browser", "--port", "0"], ["backup", "x.db"]])
def test_a_store_that_cannot_be_opened_is_named(words: list[str], capsys: OUT, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert main([*words, "--store", str(tmp_path / "file" / "tables.db")]) == 1
    said = capsys.readouterr().err
    assert str(tmp_path / "file") in said
    assert "Errno" not in said


@pytest.mark.parametrize(
    ("game", "entry", "part"),
    [("druidenwalzer", "sun", "sun.2< = 4"), ("celtica", "places", "places.4.parts = -1"), ("daemonen", "fields", "fields.FFWWMM = 3")],
)
def test_what_has_parts_is_not_said_to_be_missing(game: str, entry: str, part: str, capsys: OUT, tmp_path: Path) -> None:
    assert main(["simulate", game, "--set", f"{entry}=3"]) == 2
    said = capsys.readouterr().err
    assert "missing" not in said
    assert f"3 cannot stand for the whole: this entry has parts of its own, such as {part}" in said
    path = tmp_path / "part.toml"  # what it names as a part is one
    path.write_text('[components]\n"{}" = {}\n'.format(*part.split(" = ")), encoding="utf-8")
    assert main(["simulate", game, "--games", "1", "--seats", "random,random", "--options", str(path)]) == 0


def test_bad_options_name_the_entry(capsys: OUT, tmp_path: Path) -> None:
    path = tmp_path / "o.toml"
    for text, says in [
        ("trees = 7", "trees"),
        ("forest = 1", "forest"),
        ("[components.sun]\n'1<' = 3", "sun: 3 cards"),
        ("trees = ", "TOML"),
    ]:
        path.write_text(text, encoding="utf-8")
        assert main(["simulate", "druidenwalzer", "--games", "1", "--options", str(path)]) == 2
        assert says in capsys.readouterr().err


def test_the_documentation_can_be_read_without_a_checkout(capsys: OUT, monkeypatch: pytest.MonkeyPatch) -> None:
    root = documentation.folder()
    assert root is not None
    assert main(["docs"]) == 0
    listed = capsys.readouterr().out
    for page in ("architecture", "decisions", "frontend", "hosting", "rules/fr/celtica", "envs/README"):
        assert f"  {page} " in listed
    assert main(["docs", "architecture"]) == 0
    assert capsys.readouterr().out == (root / "architecture.md").read_text(encoding="utf-8")
    assert main(["docs", "nowhere"]) == 2
    assert "lists them" in capsys.readouterr().err
    # The wheel carries every page.
    carried = set(hatch_build.documentation().values())
    pages = [name for name in documentation.pages(root) if not name.startswith("rules/")]
    shown = {found for name in pages for found in re.findall(r'<img src="/(docs/[^"]*)"', documentation.page(root, name) or "")}
    assert "docs/ladder.svg" in shown
    assert {f"drunemeton/docs/{name}.md" for name in pages} | {f"drunemeton/{picture}" for picture in shown} <= carried
    assert {one for one in carried if one.endswith(".md")} == {f"drunemeton/docs/{name}.md" for name in pages}
    # Who sits at a terminal gets it from a server, in the browser.
    opened: list[dict[str, Any]] = []

    def serve(**asked: Any) -> int:
        opened.append(asked)
        return 0

    monkeypatch.setattr("drunemeton.server.serve", serve)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert main(["docs"]) == main(["docs", "bots"]) == 0
    assert [asked["page"] for asked in opened] == ["/docs", "/docs/bots"]


def test_what_a_package_index_shows_leads_nowhere_in_vain() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    shown = hatch_build.described(readme)
    assert re.findall(r"\]\((?!https?:)", readme)
    assert not re.findall(r"\]\((?!https?:)", shown)
    assert ".venv" not in shown
    root = documentation.folder()
    assert root is not None
    named = re.findall(r"`drunemeton docs ([^`]+)`", shown)
    assert len(named) > 10
    assert set(named) <= set(documentation.pages(root))


def test_benches_are_found_in_a_checkout(capsys: OUT, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("rules", "search", "server", "page", "envs"):
        assert callable(cli._find_bench(name).measure)
    assert main(["bench", "chess"]) == 2
    assert "rules, search, server" in capsys.readouterr().err
    monkeypatch.setattr(cli, "__file__", str(tmp_path / "lib" / "drunemeton" / "cli" / "__init__.py"))
    assert main(["bench", "rules"]) == 2
    assert "from a checkout" in capsys.readouterr().err


RELEASED = Path(__file__).parents[1] / "records" / "released" / "druidenwalzer-1-default.txt"


def test_a_moment_of_a_record_is_shown_through_somebodys_eyes(capsys: OUT) -> None:
    hands = {}
    for seat in ("sun", "moon", "public", "open"):
        assert main(["record", "show", str(RELEASED), "--move", "9", "--seat", seat]) == 0
        lines = capsys.readouterr().out.splitlines()
        hands[seat] = [line.split("hand")[1].split("pile")[0] for line in lines if " hand " in line]
        assert len(hands[seat]) == 2
    assert ["?" in hand for hand in hands["sun"]] == [True, False]  # Moon's hand is drawn first
    assert ["?" in hand for hand in hands["moon"]] == [False, True]
    assert ["?" in hand for hand in hands["public"]] == [True, True]
    assert ["?" in hand for hand in hands["open"]] == [False, False]
    for words, says in ((["--move", "999"], "999"), (["--move", "1", "--seat", "wizard"], "wizard")):
        assert main(["record", "show", str(RELEASED), *words]) == 2
        assert says in capsys.readouterr().err


def test_a_record_is_fetched_from_a_server(capsys: OUT, tmp_path: Path) -> None:
    with House(Settings(store_path=tmp_path / "tables.db", assets=tmp_path)) as house:
        made = house.table()
        with house.players(made) as clients:
            assert main(["record", "fetch", f"{house.url}/t/{made['table']}"]) == 1
            assert "running" in capsys.readouterr().err
            clients[0].resign()
        file = tmp_path / "game.txt"
        assert main(["record", "fetch", f"{house.url}/replay/{made['table']}#3-sun", "--save", str(file)]) == 0
        assert main(["record", "verify", str(file)]) == 0
        assert "resigned 2 1" in capsys.readouterr().out
        assert main(["record", "fetch", f"{house.url}/t/{made['table']}"]) == 0
        assert capsys.readouterr().out == file.read_text(encoding="utf-8")
    for url in ("nowhere", "http://127.0.0.1:9/t/x"):
        assert main(["record", "fetch", url]) == 1
        assert url in capsys.readouterr().err


def test_a_record_is_opened_in_the_browser(capsys: OUT, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[dict[str, object]] = []

    def serve(**how: object) -> int:
        opened.append(how)
        return 0

    monkeypatch.setattr("drunemeton.server.serve", serve)
    assert main(["replay", str(RELEASED), "--no-browser"]) == 0
    assert (opened[0]["record"], opened[0]["open_browser"]) == (RELEASED, False)
    damaged = tmp_path / "damaged.txt"
    damaged.write_text(RELEASED.read_text(encoding="utf-8").replace("\n5 ", "\n6 ", 1), encoding="utf-8")
    assert main(["replay", str(damaged)]) == 1
    assert "damaged.txt: line" in capsys.readouterr().err
    assert main(["replay", str(tmp_path / "missing.txt")]) == 1
    # A record whose secret is wrong is shown: the page says so.
    damaged.write_text(RELEASED.read_text(encoding="utf-8").replace("\nsecret ", "\nsecret 00", 1), encoding="utf-8")
    assert main(["replay", str(damaged)]) == 0
    assert len(opened) == 2


def test_records_are_shown_replayed_and_refused(capsys: OUT, tmp_path: Path) -> None:
    for action in ("show", "replay", "verify"):
        assert main(["record", action, str(RELEASED)]) == 0
        assert "conquest" in capsys.readouterr().out
    damaged = tmp_path / "damaged.txt"
    damaged.write_text(RELEASED.read_text(encoding="utf-8").replace("\n5 ", "\n6 ", 1), encoding="utf-8")
    assert main(["record", "verify", str(RELEASED), str(damaged), str(tmp_path / "missing.txt")]) == 1
    printed = capsys.readouterr()
    assert "follow from the committed secret" in printed.out
    assert "damaged.txt: line" in printed.err
    assert "missing.txt" in printed.err
