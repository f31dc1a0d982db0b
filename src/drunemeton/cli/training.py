"""`drunemeton train`: players that teach themselves."""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..rules.game import playable
from . import words

if TYPE_CHECKING:
    from ..training.run import Plan


def add(commands: Any) -> None:
    """The command and what it takes."""
    train = commands.add_parser(
        "train",
        help="let a player teach itself a game",
        description="Let a player teach itself a game: it watches greedy, then plays against itself, on a GPU where there is one. "
        "Everything of a run lies in its folder: plan, curve, where it stands, weights. Ctrl+C keeps what was learnt.",
    )
    train.add_argument("game", choices=playable())
    train.add_argument("--out", type=words.path, required=True, metavar="DIR", help="the folder of the run")
    train.add_argument("--resume", action="store_true", help="go on with the run in that folder")
    train.add_argument(
        "--plan", type=words.path, metavar="FILE", help="what a run's plan.json says; the arguments below then count for nothing"
    )
    train.add_argument(
        "--from", dest="start", type=words.path, metavar="WEIGHTS", help="begin with what another run has learnt, watching nobody"
    )
    train.add_argument("--seats", default=None, help="numbers of players to learn, as 2,3 (default: all)")
    train.add_argument("--minutes", type=words.span, help="stop after so long (default: when the plan is done)")
    train.add_argument(
        "--updates",
        type=words.from_nothing,
        help="how often to learn from what it played (default 300 on a GPU, else 0: lessons as small as a processor's do harm)",
    )
    train.add_argument("--games", type=words.positive, help="side by side for each number of players (default 24576 on a GPU, else 256)")
    train.add_argument("--watched", type=words.positive, default=1000, help="games of greedy to watch first (default 1000)")
    train.add_argument("--judged", type=words.positive, help="games that tell its strength now and then (default 512 on a GPU, else 256)")
    train.add_argument("--width", type=words.positive, default=512, help="of the network (default 512)")
    train.add_argument("--seed", type=words.seed, default=1)
    train.add_argument("--on", type=words.processors, default="cpu", help=words.ON + "; learning itself stays here")
    train.set_defaults(run=_train)


def _train(args: argparse.Namespace) -> int:
    from ..bots.arena import playing_on
    from ..rules.errors import GameError
    from ..rules.game import find_game
    from ..terminal.progress import Progress

    if importlib.util.find_spec("torch") is None:
        raise GameError("learning needs PyTorch: pip install 'drunemeton[train]'")
    import torch

    from ..training.run import Plan, Training

    low, high = find_game(args.game).players
    seats = tuple(range(low, high + 1)) if args.seats is None else tuple(_number(part, low, high) for part in args.seats.split(","))
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cpu" and "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(1)  # lessons are small: several threads wait for one another longer than they work
    if args.resume:
        run = Training.resume(args.out, device)
    else:
        updates = args.updates if args.updates is not None else 300 if device == "cuda" else 0
        more = {"updates": updates, "width": args.width, "seed": args.seed, "watched": args.watched}
        made = Plan.sized(device, args.game, seats, args.games, args.judged, **more)
        run = Training.begin(
            args.out, _plan(args.plan, args.game) if args.plan else made, device, _file(args.start) if args.start else None
        )
    print(f"{run.plan.game} for {', '.join(map(str, run.plan.seats))} on {device}; everything is kept in {args.out}", file=sys.stderr)
    run.hands = words.hands(args.on, None) if args.on != "cpu" else 0
    try:
        with playing_on(args.on), Progress("updates", run.plan.updates, run.updates) as bar:
            for progress in run.learn(args.minutes and 60 * args.minutes):
                told = ", ".join(f"{name} {value:.3f}" for name, value in progress.told.items())
                bar.step(f"{progress.decisions / 1e6:.0f} M decisions, {told}; updates")
    finally:
        run.keep()
    return 0


def _file(path: Path) -> Path:
    from ..rules.errors import GameError

    if not path.is_file():
        raise GameError(f"there is no file {path}")
    return path


def _plan(path: Path, game: str) -> Plan:
    from ..rules.errors import GameError
    from ..training.run import Plan

    _file(path)
    try:
        plan = Plan.read(path)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise GameError(f"{path} is no plan of a run") from None
    if plan.game != game:
        raise GameError(f"{path} is a plan for {plan.game}")
    return plan


def _number(text: str, low: int, high: int) -> int:
    from ..rules.errors import GameError, reach

    if not text.isdigit() or not low <= int(text) <= high:
        raise GameError(f"--seats is {text!r}; it may be {reach(low, high)}{', several with commas' * (high > low)}")
    return int(text)
