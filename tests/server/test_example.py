"""The documentation's example bot runs, and the terminal client plays a game to its end."""

from __future__ import annotations

import contextlib
import io
import random
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from drunemeton import client as client_room
from drunemeton import records
from drunemeton.client import Client, Interrupted, MoveRefused, Pace, Stale
from drunemeton.server import Settings
from drunemeton.server.limits import Bucket
from drunemeton.terminal.remote import play_at

from ..patience import PATIENCE
from .house import BOT, PERSON, House, listen, play_on, rng, settle

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "twenty_line_bot.py"


def test_the_example_is_the_one_in_the_documentation_and_has_twenty_lines() -> None:
    code = EXAMPLE.read_text(encoding="utf-8")
    assert len([line for line in code.splitlines() if line.strip()]) <= 20
    shown = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "bot-api.md").read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    assert shown[1] in code


@pytest.mark.slow
def test_the_example_plays_a_game_within_the_limits_of_an_ordinary_server(settings: Settings) -> None:
    ordinary = Settings(store_path=settings.store_path)
    limits: dict[str, Any] = {"messages_per_second": ordinary.messages_per_second, "messages_burst": ordinary.messages_burst}
    with House(replace(settings, **limits)) as house:
        made = house.table([PERSON, BOT], seed=4)
        run = subprocess.run([sys.executable, str(EXAMPLE), made["links"][0]], capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    assert re.fullmatch(r"\w+ [12]\n", run.stdout)


def test_a_client_keeps_within_the_limits_however_late_a_server_hears_it() -> None:
    allowance: dict[str, Any] = {"a_second": 20.0, "at_once": 60, "costs": {"hello": 4, "preview": 5}}
    for seed in range(20):
        choose, now = random.Random(seed), 100.0
        bucket = Bucket(allowance["a_second"], allowance["at_once"], now)
        pace, kind = Pace(allowance, lambda: now), "hello"  # noqa: B023 - read within the loop only
        waited, delays = 0, [0.0] * 20 + [0.002] * 20 + [0.5]
        for _ in range(400):
            wait = pace.wait(kind)
            waited += wait > 0
            now += wait + choose.choice(delays)  # on its way, or the server is busy
            assert bucket.take(now, allowance["costs"].get(kind, 1))
            now += choose.choice(delays)
            pace.heard(kind)
            now += choose.choice([0.0] * 30 + [10.0])  # the others play
            kind = choose.choice(["move", "preview", "preview", "preview"])
        assert waited, "no limit was ever met"


def test_a_client_says_no_more_than_the_server_takes(settings: Settings) -> None:
    with House(replace(settings, messages_per_second=40.0, messages_burst=12)) as house:
        made = house.table(seed=1)
        with house.players(made) as clients:
            mover = next(client for client in clients if client.my_turn)
            for _ in range(8):
                assert mover.preview(mover.state["legal"][0])
            mover.play(mover.state["legal"][0])


@pytest.mark.slow
def test_a_bot_waits_awake_and_comes_back_if_it_was_sent_away(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_room, "PING_SECONDS", 0.3)
    with House(replace(settings, idle_seconds=2.0)) as house:
        made = house.table(seed=1)
        with house.players(made) as clients:
            waiting, mover = sorted(clients, key=lambda client: client.my_turn)
            asked = threading.Thread(target=lambda: next(waiting.turns()), daemon=True)
            asked.start()
            asked.join(4.5)  # more than twice what the server takes for sleep
            with pytest.raises(Interrupted, match="idle"):  # the mover has said nothing meanwhile
                listen(mover)
            mover.connect()
            while mover.my_turn:
                mover.play(mover.state["legal"][0])
            asked.join(PATIENCE)
            assert not asked.is_alive()
            assert waiting.my_turn


def test_a_move_is_played_although_somebody_asked_for_something_meanwhile(house: House) -> None:
    made = house.table(seed=1)
    with house.players(made) as clients:
        play_on(clients, rng(), 6)
        settle(clients)
        mover, other = sorted(clients, key=lambda client: not client.my_turn)
        seen, move = mover.state["revision"], mover.state["legal"][0]
        other.undo()
        assert mover.state["revision"] == seen, "he has not heard of it"
        assert mover.play(move) == seen + 2
        settle(clients)
        # What changes the position is another matter: the old answer is not given to a new question.
        mover = next(client for client in clients if client.my_turn)
        move = mover.state["legal"][0]
        with Client.join(made["links"][mover.seat], beside=mover.session) as second_tab:
            second_tab.play(move)
        with pytest.raises(Stale):
            mover.play(move)


class Typist(io.StringIO):
    """Types a move whenever there is one to type."""

    def __init__(self, client: Any, words: list[str]) -> None:
        super().__init__()
        self.client, self.words, self.choose = client, words, rng(1)
        self.over, self.seen = threading.Event(), threading.Event()

    def __iter__(self) -> Iterator[Any]:
        yield from self.words
        while not self.client.over:
            if self.client.my_turn:
                with contextlib.suppress(MoveRefused):  # the terminal has just taken back: both sit at the same seat
                    self.client.play(self.choose.choice(self.client.state["legal"]))
            else:
                self.client.receive()
        self.over.set()
        self.seen.wait(PATIENCE)  # nobody leaves before the terminal has told the end


def test_a_game_in_the_terminal(house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    small = {"trees": 2, "stack": 1, "tokens_to_conquer": 1, "trees_to_lose": 1}
    made = house.table([PERSON, BOT], options=small, seed=2)
    with Client.join(made["links"][0]) as beside:
        words = ["?", "moves", "board", "log", "W 9", "? 1<", "no", "back", "undo"]
        typist = Typist(beside, words)
        monkeypatch.setattr(sys, "stdin", typist)
        assert play_at(made["links"][0]) == 0
        assert typist.over.wait(PATIENCE)  # he may hear of it later than the terminal
        typist.seen.set()
    shown = capsys.readouterr().out
    assert "The game is over" in shown
    assert "place 1" in shown
    assert "hand" in shown
    saved = tmp_path / "game.txt"
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert play_at(made["links"][0], "de", saved) == 0
    assert records.verify(records.read(saved.read_text(encoding="utf-8"))).result is not None
    german = capsys.readouterr().out
    assert str(saved) in german
    assert "Das Spiel ist aus" in german
    assert "Mond (Rehkitz (spielt zufällig)): Rang" in german or "Sonne (Mensch): Rang" in german
    assert "The game" not in german
    assert play_at("http://localhost:1/t/x") == 1
    assert play_at(f"{house.url}/t/{made['table']}#wrong") == 1
