"""The documentation's example bot runs, and the terminal client plays a game to its end."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
import threading
from pathlib import Path

from drunemeton.client import Client, MoveRefused, play_in_terminal

from .house import BOT, PERSON, rng

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "twenty_line_bot.py"


def test_the_example_is_the_one_in_the_documentation_and_has_twenty_lines():
    code = EXAMPLE.read_text(encoding="utf-8")
    assert len([line for line in code.splitlines() if line.strip()]) <= 20
    shown = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "bot-api.md").read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    assert shown[1] in code


def test_the_example_plays_a_game(house):
    made = house.table([PERSON, BOT], options={"trees": 2, "stack": 1, "tokens_to_conquer": 1, "trees_to_lose": 1})
    run = subprocess.run([sys.executable, str(EXAMPLE), made["links"][0]], capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    assert re.fullmatch(r"\w+ [12]\n", run.stdout)


class Typist(io.StringIO):
    """Types a move whenever there is one to type."""

    def __init__(self, client, words):
        super().__init__()
        self.client, self.words, self.choose = client, words, rng(1)
        self.seen = threading.Event()

    def __iter__(self):
        yield from self.words
        while not self.client.over:
            if self.client.my_turn:
                with contextlib.suppress(MoveRefused):  # the terminal has just taken back: both sit at the same seat
                    self.client.play(self.choose.choice(self.client.state["legal"]))
            else:
                self.client.receive()
        self.seen.wait(20)  # nobody leaves before the terminal has told the end


def test_a_game_in_the_terminal(house, monkeypatch, capsys):
    small = {"trees": 2, "stack": 1, "tokens_to_conquer": 1, "trees_to_lose": 1}
    made = house.table([PERSON, BOT], options=small, seed=2)
    with Client.join(made["links"][0]) as beside:
        words = ["?", "moves", "board", "W 9", "? 1<", "no", "back", "undo"]
        typist = Typist(beside, words)
        monkeypatch.setattr(sys, "stdin", typist)
        assert play_in_terminal(made["links"][0]) == 0
        typist.seen.set()
    shown = capsys.readouterr().out
    assert "The game is over" in shown
    assert "place 1" in shown
    assert "hand" in shown
    assert play_in_terminal("http://localhost:1/t/x") == 1
    assert play_in_terminal(f"{house.url}/t/{made['table']}#wrong") == 1
