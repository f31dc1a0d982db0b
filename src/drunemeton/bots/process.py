"""A process in which bots think, so that whoever asks them is never held up: `python -m drunemeton.bots.process MODULE:FUNCTION`.

Questions come in on standard input, each a length and a pickled tuple (game, bot, knowledge, seed, what); answers go out on standard
output, a JSON line each. A line `{"begun": true}` comes before the thinking, so that making a bot is not charged to its time, and lines
`{"alive": true}` come every few seconds until the answer, so that a process that hangs is told from one that thinks. When the input ends,
so does the process: nobody is left to ask.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import json
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from ..rules.game import find_game

KIND = 10  # how much nicer than who asks: a move that is being played comes first
LENGTH = 4
ALIVE_SECONDS = 2.0
WHAT = ("choose", "consider", "review")


def main() -> None:
    """Answer until there are no more questions."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for who asks; our input ends then
    with contextlib.suppress(OSError, AttributeError):
        os.nice(KIND)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a bot prints must not look like an answer
    print(json.dumps({"alive": True}), file=answers, flush=True)
    module, _, function = sys.argv[1].partition(":")
    answer(sys.stdin.buffer, answers, getattr(importlib.import_module(module), function))


def answer(questions: IO[bytes], answers: IO[str], make: Any) -> None:
    """Answer one question after the other."""
    bots: dict[tuple[str, str], Any] = {}

    saying = threading.Lock()

    def say(line: dict[str, Any]) -> None:
        with saying:
            answers.write(json.dumps(line) + "\n")
            answers.flush()

    busy = threading.Event()
    threading.Thread(target=_live, args=(busy, say), daemon=True).start()

    while len(size := questions.read(LENGTH)) == LENGTH:
        busy.set()
        game, name, knowledge, seed, what = pickle.loads(questions.read(int.from_bytes(size, "big")))
        try:
            if (game, name) not in bots:
                bots[game, name] = make(find_game(game), name)
            say({"begun": True})
            found = getattr(bots[game, name], what)(knowledge, seed=seed)
            busy.clear()
            say({"answer": _told(found, what)})
        except Exception as problem:
            busy.clear()
            place = traceback.extract_tb(problem.__traceback__)[-1]
            say({"problem": type(problem).__name__, "where": f"{Path(place.filename).name}:{place.lineno}"})


def _told(found: Any, what: str) -> Any:
    """An answer as it goes out."""
    if what == "consider":
        return [dataclasses.asdict(one) for one in found]
    return int(found) if what == "choose" else found


def _live(busy: threading.Event, say: Callable[[dict[str, Any]], None]) -> None:
    """Say that this process lives, while it is asked something: who hears nothing for long may end it."""
    with contextlib.suppress(OSError, ValueError):
        while True:
            busy.wait()
            time.sleep(ALIVE_SECONDS)
            if busy.is_set():
                say({"alive": True})


def question(game: str, bot: str, knowledge: Any, seed: int, what: str = "choose") -> bytes:
    """What to write to the process."""
    if what not in WHAT:
        raise ValueError(f"a bot can be asked to {' or '.join(WHAT)}, not to {what}")
    text = pickle.dumps((game, bot, knowledge, seed, what))
    return len(text).to_bytes(LENGTH, "big") + text


if __name__ == "__main__":
    main()
