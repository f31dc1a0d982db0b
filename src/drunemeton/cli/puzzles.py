"""`drunemeton puzzles`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ..rules.errors import GameError
from ..rules.game import playable
from . import words
from .ending import INTERRUPTED


def add(commands: Any) -> None:
    """The command that makes and checks puzzles."""
    puzzles = commands.add_parser(
        "puzzles",
        help="find positions in which one decision is clearly better",
        description="Let bots play, find decisions that are clearly better on what the seat knows, prove each by a search 20 times as long "
        "as the one that found it (and longer), let lower levels grade it, and explain it. Every deal is appended to the file at once; the "
        "same command goes on from there, also after Ctrl+C, and the same seed finds the same puzzles.",
    )
    puzzles.add_argument("game", choices=playable())
    puzzles.add_argument("--count", type=words.positive, default=60, metavar="N", help="how many (default 60)")
    puzzles.add_argument("--file", type=words.path, metavar="FILE", help="where they are kept on the way (default: puzzles-GAME.jsonl)")
    puzzles.add_argument("--seed", type=words.seed, default=0, help="which deals are looked at (default 0)")
    puzzles.add_argument("--seats", type=words.positive, default=2, help="how many play (default 2)")
    puzzles.add_argument("--minutes", type=words.span, help="how long at most (default: until there are enough)")
    puzzles.add_argument("--processes", type=words.positive, default=1, help="deals side by side (default 1)")
    instead = puzzles.add_mutually_exclusive_group()
    instead.add_argument("--publish", action="store_true", help="verify them anew, and make those that hold the puzzles of the page")
    instead.add_argument("--explain", action="store_true", help="find none, but tell the reasons of those of the page anew, and add FILE's")
    instead.add_argument("--check", action="store_true", help="find none, but verify those of the page anew, each by a long search")
    puzzles.set_defaults(run=_puzzles)


def _puzzles(args: argparse.Namespace) -> int:
    if args.check:
        if args.file:
            raise GameError("--check verifies the puzzles of the page, so it takes no --file; leave that out")
        return _check(args.game)
    from ..puzzles.making import Making, explain_anew
    from ..puzzles.puzzle import shipped, write_set
    from ..rules.errors import reach
    from ..rules.game import find_game

    game = find_game(args.game)
    low, high = game.players
    if not low <= args.seats <= high:
        raise GameError(f"--seats is {args.seats}; {args.game} is for {reach(low, high)}")
    path = args.file or Path(f"puzzles-{args.game}.jsonl")
    making = Making(game, path, seats=args.seats, seed=args.seed)
    if args.explain:
        print(f"{shipped(args.game)}: {len(explain_anew(game, making))} puzzles")
        return 0
    interrupted = False
    try:
        for one in making.run(args.count, processes=args.processes, minutes=args.minutes):
            print(f"deal {one.deal}: {one.new} new, {one.puzzles} of {args.count}", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        interrupted = True
        print("\nthe same command goes on from here", file=sys.stderr)
    print(f"{path}: {len(making.puzzles)} puzzles")
    if args.publish and not interrupted:
        from ..puzzles.check import holds

        write_set(shipped(args.game), [one for one in making.puzzles if holds(one)], making.head)
        print(f"{shipped(args.game)}: {shipped(args.game).stat().st_size:,} bytes")
    return INTERRUPTED if interrupted else 0 if len(making.puzzles) >= args.count else 1


def _check(game: str) -> int:
    from ..puzzles.check import BadPuzzle, check
    from ..puzzles.finding import mark_of_finder
    from ..puzzles.puzzle import made_of, puzzles, shipped

    made = made_of(game)
    same = "today's finder: this command finds them again" if made["finder"] == mark_of_finder(game) else "another finder than today's"
    print(f"{shipped(game).name}: seed {made['seed']}, {made['seats']} seats, made by {made['finder']}, {same}")
    wrong, found = 0, puzzles(game)
    for number, puzzle in enumerate(found, 1):
        try:
            gap = check(puzzle)
            print(f"{number:4} of {len(found)}  {puzzle.ident}  {puzzle.theme:8} grade {puzzle.grade}  better by {gap:.1%}", flush=True)
        except BadPuzzle as problem:
            wrong += 1
            print(problem, file=sys.stderr, flush=True)
    print(f"{len(found) - wrong} of {len(found)} puzzles hold")
    return 1 if wrong or not found else 0
