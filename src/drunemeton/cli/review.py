"""`drunemeton review`."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from . import words

FORGED = ("commitment", "shuffle")  # what it takes to tell a shuffle that does not follow from its secret


def add(commands: Any) -> None:
    """The command that says what decided a game."""
    text = "say what decided a recorded game: mistakes, luck, and every seat's chances"
    review = commands.add_parser("review", help=text, description=text.capitalize() + ", from what each seat knew.")
    review.add_argument("file", type=words.path, metavar="RECORD")
    review.add_argument("--json", action="store_true", help="print all of it as JSON")
    review.add_argument("--lang", choices=("en", "de", "nl", "fr"), default="en")
    review.add_argument("--threads", type=words.positive, default=2, help="how many steps are judged side by side (default: 2)")
    review.set_defaults(run=_review)


def _review(args: argparse.Namespace) -> int:
    from ..appraisal import NoReview, review
    from ..bots.compiling import Compiling
    from ..locales import say
    from ..records import BadRecord, read, verify
    from ..rules.errors import GameError
    from ..terminal.review import show_review

    def progress(done: int, steps: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{done} of {steps}", end="" if done < steps else "\r", file=sys.stderr, flush=True)

    try:
        text = args.file.read_text(encoding="utf-8")
        with Compiling():
            told = review(text, threads=args.threads, progress=progress)
    except NoReview as problem:
        raise GameError(say(args.lang, f"review.no.{problem.code}")) from problem
    except BadRecord as problem:
        where = say(args.lang, "web.replay.line", line=problem.line) + " " if problem.line else ""
        found = problem.params
        if "why" in found:
            found = {**found, "problem": f"{found['entry']}: {say(args.lang, 'problem.' + found['why'], **found)}"}
        raise GameError(where + say(args.lang, f"web.record.{problem.code}", **found)) from problem
    try:
        verify(read(text))
    except BadRecord as problem:
        if problem.code in FORGED:
            print(say(args.lang, "reviews.forged"), file=sys.stderr)
    if args.json:
        print(json.dumps(told.describe(), indent=1))
    else:
        show_review(told, args.lang)
    return 0
