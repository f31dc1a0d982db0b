"""A process in which bots think, so that whoever asks them is never held up: `python -m drunemeton.bots.process MODULE:FUNCTION`.

Questions come in on standard input, each a length and a pickled tuple (game, bot, knowledge, seed, what); answers go out on standard
output, a JSON line each. A line `{"begun": true}` comes before the thinking, so that making a bot is not charged to its time. When the
input ends, so does the process: nobody is left to ask.
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
import traceback
from pathlib import Path
from typing import IO, Any

from ..rules.game import find_game

KIND = 10  # how much nicer than who asks: a move that is being played comes first
LENGTH = 4
WHAT = ("choose", "consider")


def main() -> None:
    """Answer until there are no more questions."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for who asks; our input ends then
    with contextlib.suppress(OSError, AttributeError):
        os.nice(KIND)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a bot prints must not look like an answer
    module, _, function = sys.argv[1].partition(":")
    answer(sys.stdin.buffer, answers, getattr(importlib.import_module(module), function))


def answer(questions: IO[bytes], answers: IO[str], make: Any) -> None:
    """Answer one question after the other."""
    bots: dict[tuple[str, str], Any] = {}

    def say(line: dict[str, Any]) -> None:
        answers.write(json.dumps(line) + "\n")
        answers.flush()

    while len(size := questions.read(LENGTH)) == LENGTH:
        game, name, knowledge, seed, what = pickle.loads(questions.read(int.from_bytes(size, "big")))
        try:
            if (game, name) not in bots:
                bots[game, name] = make(find_game(game), name)
            say({"begun": True})
            found = getattr(bots[game, name], what)(knowledge, seed=seed)
            say({"answer": int(found) if what == "choose" else [dataclasses.asdict(one) for one in found]})
        except Exception as problem:
            place = traceback.extract_tb(problem.__traceback__)[-1]
            say({"problem": type(problem).__name__, "where": f"{Path(place.filename).name}:{place.lineno}"})


def question(game: str, bot: str, knowledge: Any, seed: int, what: str = "choose") -> bytes:
    """What to write to the process."""
    if what not in WHAT:
        raise ValueError(f"a bot can be asked to {' or '.join(WHAT)}, not to {what}")
    text = pickle.dumps((game, bot, knowledge, seed, what))
    return len(text).to_bytes(LENGTH, "big") + text


if __name__ == "__main__":
    main()
