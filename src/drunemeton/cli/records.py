"""`drunemeton record` and `replay`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from . import words


def add(commands: Any) -> None:
    """The commands that work with recorded games."""
    record = commands.add_parser("record", help="show, verify or replay recorded games", description="Work with recorded games.")
    actions = record.add_subparsers(title="actions", metavar="ACTION", required=True)
    for name, text in (
        ("show", "print what a record says, or the table after a move as somebody saw it"),
        ("verify", "check moves, events, result and shuffles; says the line of the first fault"),
        ("replay", "play the game again, step by step, with all cards open"),
    ):
        action = actions.add_parser(name, help=text, description=text.capitalize() + ".")
        action.add_argument("files", nargs="+", type=words.path, metavar="FILE")
        action.add_argument("--lang", choices=("en", "de", "nl", "fr"), default="en")
        if name == "show":
            action.add_argument("--move", type=words.step, metavar="N", help="the table after this move (0: set-up), by the rules")
            action.add_argument("--seat", default="open", metavar="NAME", help="through whose eyes: a seat, public or open (default: open)")
        action.set_defaults(run=_record, action=name, move=None)
    fetch = actions.add_parser(
        "fetch",
        help="get the record of a finished game from a server",
        description="Get the record of a finished game from a server, by the link to its table or to its replay.",
    )
    fetch.add_argument("url", metavar="URL")
    fetch.add_argument("--save", type=words.path, metavar="FILE", help="write it to this file instead of printing it")
    fetch.set_defaults(run=_fetch)
    replay = commands.add_parser(
        "replay", help="look at a recorded game in the browser", description="Look at a recorded game in the browser, from every seat."
    )
    replay.add_argument("file", type=words.path, metavar="FILE")
    replay.add_argument("--port", type=words.port, default=0, help="port to listen on (default: any that is free)")
    replay.add_argument("--no-browser", dest="browser", action="store_false", help="do not open a browser")
    replay.set_defaults(run=_replay)


def _record(args: argparse.Namespace) -> int:
    from .. import records
    from ..terminal import show_moment, show_record, show_replay

    faults = 0
    for path in args.files:
        try:
            record = records.read(path.read_text(encoding="utf-8"))
            if args.action == "verify":
                verdict = records.verify(record)
                result = " ".join(map(str, [verdict.result.end, *verdict.result.places])) if verdict.result else "unfinished"
                print(f"{path}: {verdict.game}, {verdict.steps} moves, {result}, shuffles {_SHUFFLES[verdict.shuffles]}")
            elif args.move is not None:
                show_moment(record, args.move, args.seat, args.lang)
            elif args.action == "show":
                show_record(record, args.lang, args.seat)
            else:
                show_replay(record, args.lang)
        except OSError as problem:
            faults += 1
            print(f"{path} cannot be read: {problem.strerror}", file=sys.stderr)
        except UnicodeDecodeError:
            faults += 1
            print(f"{path}: this is not a text file", file=sys.stderr)
        except records.BadRecord as problem:
            faults += 1
            print(f"{path}: {words.explained(problem, args.lang)}", file=sys.stderr)
    return 1 if faults else 0


def _fetch(args: argparse.Namespace) -> int:
    from ..client import ServerError, fetch_record

    try:
        text = fetch_record(args.url)
        if args.save:
            args.save.write_text(text, encoding="utf-8")
        else:
            print(text, end="")
    except ServerError as problem:
        print(f"{args.url}: {problem}", file=sys.stderr)
        return 1
    except OSError as problem:
        print(f"{args.save} cannot be written: {problem.strerror}", file=sys.stderr)
        return 1
    return 0


def _replay(args: argparse.Namespace) -> int:
    import tempfile

    from .. import records
    from ..server import serve

    try:
        records.verify(records.read(args.file.read_text(encoding="utf-8")))
    except OSError as problem:
        print(f"{args.file} cannot be read: {problem.strerror}", file=sys.stderr)
        return 1
    except UnicodeDecodeError:
        print(f"{args.file}: this is not a text file", file=sys.stderr)
        return 1
    except records.BadRecord as problem:
        if problem.code not in {"commitment", "shuffle"}:  # these are shown in the browser
            print(f"{args.file}: {words.explained(problem)}", file=sys.stderr)
            return 1
    # A store of its own: looking at a file has nothing to do with the tables of this machine.
    with tempfile.TemporaryDirectory() as folder:
        return serve(port=args.port, store=str(Path(folder) / "tables.db"), open_browser=args.browser, record=args.file)


_SHUFFLES = {
    "audited": "follow from the committed secret",
    "seed": "follow from a typed seed (not auditable)",
    "unknown": "not checked: the record holds no secret",
}
