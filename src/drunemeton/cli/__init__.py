"""One command, `drunemeton`, with a sub-command for each room. Rooms are imported only when they are asked for, so help is quick."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import __version__
from ..rules.errors import GameError, reach
from ..rules.game import playable
from . import ending, lab, pages, puzzles, records, review, settings, training, words

NOTICE = "An independent, non-commercial fan implementation with texts and drawings of its own."


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; answers its exit status."""
    typed = list(sys.argv[1:] if argv is None else argv)
    if typed and typed[0].startswith("-") and typed[0] not in {"-h", "--help", "--version"}:
        typed.insert(0, "serve")  # without a command the table is opened, also with the options of `serve`
    args = _parser().parse_args(typed)
    with ending.kill_as_ctrl_c() as came:
        return ending.status_after(_run(args), came)


def _run(args: argparse.Namespace) -> int:
    from concurrent.futures import BrokenExecutor

    try:
        return int(args.run(args))
    except GameError as problem:
        print(f"drunemeton: {words.explained(problem)}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 0
    except UnicodeDecodeError:
        print("drunemeton: this is not a text file", file=sys.stderr)
        return 1
    except OSError as problem:
        where = f"{problem.filename} cannot be read or written" if problem.filename else "writing what was to be kept failed"
        print(f"drunemeton: {where}: {problem.strerror}", file=sys.stderr)
        return 1
    except BrokenExecutor:
        print(f"drunemeton: {words.KILLED}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return ending.INTERRUPTED


class _Command(argparse.ArgumentParser):
    """A sub-command; if it takes a game's options, its help ends with them, from the games' own descriptions."""

    takes_options = False

    def format_help(self) -> str:
        if not self.takes_options:
            return super().format_help()
        from ..rules.game import find_game

        lines = [super().format_help(), "options of the games, for --options FILE (name = value, one a line, TOML):"]
        for name in playable():
            game = find_game(name)
            lines.append(f"\n  {game.title}, {reach(*game.players)} players")
            for option in game.described:
                lines.append(f"    {option.name:24} {option.values():24} {option.help} ({option.rule})")
        return "\n".join(lines) + "\n"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="drunemeton",
        description="Druid games to play, learn and study. Without a command the table is opened in the browser.",
        epilog=NOTICE,
    )
    parser.add_argument("--version", action="version", version=f"drunemeton {__version__}")
    parser.set_defaults(run=_serve, host="127.0.0.1", port=8137, public_url=None, store=None, address=None, metrics=False, browser=True)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Command)
    _add_serve(commands)
    _add_play(commands)
    _add_simulate(commands)
    settings.add_components(commands, playable())
    records.add(commands)
    review.add(commands)
    puzzles.add(commands)
    _add_analyse(commands)
    _add_ladder(commands)
    training.add(commands)
    lab.add(commands)
    _add_lessons(commands)
    _add_bench(commands)
    pages.add(commands)
    return parser


# --- serve ---------------------------------------------------------------------------------------------------------


def _add_serve(commands: Any) -> None:
    serve = commands.add_parser("serve", help="start the table in the browser", description="Start the server and open the lobby.")
    serve.add_argument("--host", type=words.host, default="127.0.0.1", help="address to listen on (default: this machine only)")
    serve.add_argument("--port", type=words.port, default=8137, help="port to listen on (default: 8137)")
    serve.add_argument(
        "--public-url",
        type=words.public_url,
        metavar="https://NAME",
        help="the address under which others reach this server, for links to seats",
    )
    serve.add_argument(
        "--store",
        type=words.store,
        help="where tables are kept: a file (default: in the user's data folder), or postgresql://... for several servers on one database",
    )
    serve.add_argument(
        "--address",
        type=words.address,
        metavar="HOST:PORT",
        help="where the other servers on the same database reach this one (default: where it listens)",
    )
    serve.add_argument("--metrics", action="store_true", help="tell a monitor at /metrics how much goes on (Prometheus)")
    serve.add_argument("--no-browser", dest="browser", action="store_false", help="do not open a browser")
    serve.set_defaults(run=_serve)
    backup = commands.add_parser(
        "backup", help="copy the store of a running server", description="Copy the store, also while a server runs on it."
    )
    backup.add_argument("target", type=words.path, help="file to write")
    backup.add_argument("--store", type=words.store_file, help="the store (default: as for serve)")
    backup.set_defaults(run=_backup)
    move = commands.add_parser(
        "move",
        help="move all tables between a file and a database",
        description="Copy all tables, running games included, from one store into another, empty one: a file, or postgresql://... "
        "No server may run on the first meanwhile; it is left as it is.",
    )
    move.add_argument("source", type=words.store, help="the store to read: a file or postgresql://...")
    move.add_argument("target", type=words.store, help="the store to fill: a file that does not exist, or an empty database")
    move.set_defaults(run=_move)


def _serve(args: argparse.Namespace) -> int:
    from ..server import Hosting, serve

    hosting = Hosting(args.public_url, args.address, args.metrics)
    return serve(host=args.host, port=args.port, hosting=hosting, store=args.store, open_browser=args.browser)


def _move(args: argparse.Namespace) -> int:
    from ..store import StoreError, told
    from ..store.moving import move

    def tell(done: int, of: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{done} of {of} tables", end="\n" if done == of else "", file=sys.stderr, flush=True)

    try:
        moved = move(args.source, args.target, tell)
    except (StoreError, OSError) as problem:
        print(f"drunemeton: {told(problem)}", file=sys.stderr)
        return 1
    print(f"{moved} tables moved to the new store; start the server with --store, and keep the old one until you have looked")
    return 0


def _backup(args: argparse.Namespace) -> int:
    from ..server import backup

    return backup(store_path=args.store, target=args.target)


# --- play ----------------------------------------------------------------------------------------------------------


def _add_play(commands: Any) -> None:
    play = commands.add_parser("play", help="play in the terminal", description="Play in the terminal. Type a move, or ? for help.")
    play.takes_options = True
    play.add_argument("game", nargs="?", choices=playable(), help="which game")
    play.add_argument(
        "--seats",
        help="who sits where: human, random, greedy, level-1 to level-9, or a bot of your own as my.module:Bot; by default human,greedy",
    )
    play.add_argument("--seed", type=words.seed, help="repeat a deal; such a shuffle is not auditable")
    play.add_argument("--options", type=words.path, help="TOML file with options, and [components] if wanted")
    play.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change one option or entry of the components")
    play.add_argument("--lang", choices=("en", "de", "nl", "fr"), default="en", help="language of the log")
    play.add_argument("--save", type=words.path, help="write the record of the finished game to this file")
    play.add_argument("--url", help="play at a table of a server: the link to a seat")
    play.set_defaults(run=_play)


def _play(args: argparse.Namespace) -> int:
    if args.save:
        words.can_write(args.save, "the record")
    if args.url:
        if args.game or args.seats or args.seed is not None or args.options or args.set:
            raise GameError("a table at a server has its game, seats, deal and options already: with --url give --lang and --save alone")
        from ..terminal.remote import play_at

        return play_at(args.url, args.lang, args.save)
    if not args.game:
        print(f"drunemeton play: name a game ({', '.join(playable())}) or a table (--url)", file=sys.stderr)
        return 2
    from ..rules.game import find_game
    from ..terminal import play

    chosen = settings.settings(find_game(args.game), [args.options], args.set)
    if len(chosen) > 1:
        raise GameError("a game is played with one setting: --set NAME=VALUE")
    return play(args.game, args.seats, args.seed, chosen[0].options, chosen[0].components, args.lang, args.save)


# --- simulate ------------------------------------------------------------------------------------------------------


def _add_simulate(commands: Any) -> None:
    simulate = commands.add_parser(
        "simulate",
        help="let bots play many games",
        description="Let bots play many games and count. Several option files are compared on the same deals.",
    )
    simulate.takes_options = True
    simulate.add_argument("game", choices=playable())
    simulate.add_argument("--games", type=words.positive, default=1000, help="how many (default 1000)")
    simulate.add_argument(
        "--seats",
        help="who sits where: random, greedy, level-1 to level-9, or a bot of your own as my.module:Bot; by default greedy everywhere, "
        "at the smallest table",
    )
    simulate.add_argument("--rotate", action="store_true", help="play every deal once from each seat, and count by player")
    simulate.add_argument("--processes", type=words.positive, help="games side by side (default: one for each core if levels play)")
    simulate.add_argument(
        "--on",
        type=words.place,
        default="cpu",
        help="where: cpu, gpu (random and greedy), ray (on this machine) or ray://HOST:PORT (a cluster)",
    )
    simulate.add_argument("--seed", type=words.seed, default=1, help="number of the first deal (default 1)")
    simulate.add_argument(
        "--options", type=words.path, nargs="+", default=[None], help="TOML files with options, and [components] if wanted"
    )
    simulate.add_argument("--set", action="append", default=[], metavar="NAME=VALUES", help=settings.CHANGE)
    simulate.add_argument("--json", action="store_true", help="print figures as JSON")
    simulate.add_argument("--csv", type=words.path, metavar="FILE", help="write one line per game to this file")
    simulate.add_argument(
        "--resume", type=words.path, metavar="FILE", help="keep every game there as it ends, and go on from what it holds"
    )
    simulate.add_argument("--records", type=words.path, metavar="DIR", help="write the record of every game there; takes longer")
    simulate.set_defaults(run=_simulate)


def _simulate(args: argparse.Namespace) -> int:
    from ..bots.arena import playing_on
    from ..bots.match import Match
    from ..bots.simulation import Simulation
    from ..rules.game import find_game
    from ..terminal.simulate import Wanted, run

    if args.on == "gpu" and args.records:
        raise GameError("a GPU keeps no decisions to write down: leave out --records, or play the same games with --on cpu")
    game = find_game(args.game)
    players = args.seats.split(",") if args.seats is not None else ["greedy"] * game.players[0]
    chosen = settings.settings(game, args.options, args.set)
    matches = [Match(game, players, setting.options, setting.components, on="gpu" if args.on == "gpu" else "cpu") for setting in chosen]
    if args.on.startswith("ray"):
        processes = words.hands(args.on, args.processes)
    else:
        processes = 1 if args.on == "gpu" else args.processes or (1 if matches[0].simple and not args.records else os.cpu_count() or 1)
    names = [setting.name for setting in chosen]
    simulation = Simulation(matches, args.games, args.seed, rotate=args.rotate, detailed=args.csv is not None)
    with playing_on(args.on):
        return run(simulation, Wanted(names, processes, args.json, args.csv, args.resume, args.records))


# --- analyse -------------------------------------------------------------------------------------------------------


def _add_analyse(commands: Any) -> None:
    analyse = commands.add_parser(
        "analyse",
        help="what a position of a recorded game was worth, and its best moves",
        description="Analyse one position of a recorded game, from what a seat knew then. "
        "Values are chances to win, with their 95 % intervals.",
    )
    analyse.add_argument("file", type=words.path, metavar="RECORD")
    analyse.add_argument(
        "--move", type=words.step, metavar="N", help="the position before move N (default: the last position that had a choice)"
    )
    analyse.add_argument("--seat", help="through whose eyes (default: whoever was on turn)")
    thinking = analyse.add_mutually_exclusive_group()
    thinking.add_argument("--seconds", type=words.span, default=2.0, help="how long to think (default 2)")
    thinking.add_argument("--simulations", type=words.positive, help="how much to think instead, for figures that can be repeated")
    analyse.add_argument("--best", type=words.positive, default=6, metavar="N", help="how many moves to list (default 6)")
    analyse.add_argument("--json", action="store_true")
    analyse.set_defaults(run=_analyse)


def _analyse(args: argparse.Namespace) -> int:
    from dataclasses import asdict

    from .. import records as recorded
    from ..bots.analysis import analyse
    from ..bots.compiling import Compiling, ending_at_once

    try:
        record = recorded.read(args.file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as problem:
        print(f"{args.file} cannot be read: {getattr(problem, 'strerror', None) or 'this is not a text file'}", file=sys.stderr)
        return 1
    last = len(record.moves) if record.result else len(record.moves) + 1
    number = last if args.move is None else args.move
    if not 1 <= number <= last:
        raise GameError(f"there is no position before move {number}; it may be {reach(1, last)}")
    game = recorded.replay(record, number - 1)
    names = list(game.seat_names[: game.seats])
    if args.seat is not None and args.seat not in names:
        raise GameError(f"there is no seat {args.seat!r}; the seats are {', '.join(names)}")
    with Compiling(), ending_at_once():
        found = analyse(game, None if args.seat is None else names.index(args.seat), simulations=args.simulations, seconds=args.seconds)
    played = record.moves[number - 1] if number <= len(record.moves) else None
    if args.json:
        told = asdict(found)
        for one in told["moves"]:
            if not one["visits"]:
                one |= {"value": None, "within": None}  # never tried: nothing is known of it
        print(json.dumps({"position": number, "played": played, **told}, indent=2))
        return 0
    print(game.draw(found.seat))
    print(f"\nbefore move {number}, {names[found.seat]}: {found.value:.1%} to win  (95 %: +-{found.within:.1%})")
    for place, one in enumerate(found.moves):
        if place < args.best or one.move == played:
            mark = "  played" if one.move == played else ""
            worth = f"{one.value:6.1%}  +-{one.within:.1%}  {one.visits} visits" if one.visits else "     -  never tried"
            print(f"  {place + 1:3}. {one.move:24} {worth}{mark}")
    return 0


# --- ladder --------------------------------------------------------------------------------------------------------


def _add_ladder(commands: Any) -> None:
    ladder = commands.add_parser(
        "ladder",
        help="measure how strong the levels are",
        description="Let neighbouring levels play mirrored deals until their distance is known to 60 Elo, and fit one Bradley-Terry model. "
        "Every game is appended to the file at once; the same command goes on from there. --minutes 0 only tells.",
    )
    ladder.add_argument("game", choices=playable())
    ladder.add_argument(
        "--seats",
        metavar="BOTS",
        help="measure bots of your own instead, my.module:Bot or a file that was learnt, against the levels as they were measured",
    )
    ladder.add_argument("--minutes", type=words.span, default=90, help="how long at most (default 90)")
    ladder.add_argument(
        "--resume", type=words.path, required=True, metavar="FILE", help="where the games are kept; made if it is not there"
    )
    ladder.add_argument("--processes", type=words.positive, help="deals side by side (default: one for each core)")
    ladder.add_argument("--on", type=words.processors, default="cpu", help=words.ON)
    ladder.add_argument("--json", action="store_true", help="print the strengths as JSON")
    ladder.add_argument(
        "--publish", type=words.path, metavar="SVG", help="let the menus show these strengths, and draw all ladders to this file"
    )
    ladder.set_defaults(run=_ladder)


def _ladder(args: argparse.Namespace) -> int:
    from ..bots.arena import playing_on
    from ..bots.ladder import Ladder, publish, ratings, table
    from ..bots.levels import MEASURED
    from ..bots.own import find_bot, is_own
    from ..rules.game import find_game

    if args.publish:
        for file, what in ((args.publish, "the drawing"), (MEASURED, "the file of strengths")):
            words.can_write(file, what)
    for name in args.seats.split(",") if args.seats is not None else ():
        if args.publish or not is_own(name):
            raise GameError(
                "--seats names bots of your own, module:Name or a file that was learnt; "
                "the ladder of the levels is played, and published, without it"
            )
        find_bot(find_game(args.game), name)
    try:
        ladder = Ladder(find_game(args.game), args.resume, args.seats.split(",") if args.seats is not None else ())
    except (ValueError, KeyError, TypeError, RecursionError) as problem:
        raise GameError(f"{args.resume} holds no games of a ladder: name another file, or one that is not there yet") from problem
    if ladder.outdated:
        print(f"{ladder.outdated} games do not count any more: their levels have changed", file=sys.stderr)
    interrupted = False
    try:
        with playing_on(args.on):
            for played in ladder.run(args.minutes, words.hands(args.on, args.processes)) if args.minutes > 0 else ():
                seats = " - ".join(played.seats)
                line = f"{len(ladder.games)} games, deal {played.deal}: {seats} {played.end} {played.places} {played.cpu:.1f} s"
                print(line, file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        interrupted = True
        print(f"\ninterrupted after {len(ladder.games)} games; the same command goes on from {args.resume}", file=sys.stderr)
    if args.publish and not interrupted:
        publish(ladder, MEASURED, args.publish)
    if args.json:
        print(json.dumps(ratings(ladder), indent=2))
    else:
        print("\n".join(table(ladder)))
    return ending.INTERRUPTED if interrupted else 0


# --- lessons -------------------------------------------------------------------------------------------------------


def _add_lessons(commands: Any) -> None:
    lessons = commands.add_parser(
        "lessons", help="the stages of a game's lesson", description="List the stages of a game's lesson, or play them all to check them."
    )
    lessons.add_argument("game", choices=playable(), help="which game")
    lessons.add_argument("--check", action="store_true", help="play every stage to its end, every wrong try too")
    lessons.add_argument("--lang", choices=("en", "de", "nl", "fr"), default="en", help="language of the list")
    lessons.set_defaults(run=_lessons)


def _lessons(args: argparse.Namespace) -> int:
    from ..lessons import stages
    from ..lessons.check import check
    from ..locales import say

    if not args.check:
        for stage in stages(args.game):
            print(f"{stage.number}  {stage.name:12} {say(args.lang, stage.key('goal'))}")
        return 0
    for report in check(args.game):
        stage = report.stage
        found = "played to its end" if stage.closing else f"{report.wrong} wrong tries answered, {report.ways} ways to the goal"
        print(f"{stage.number}  {stage.name:12} {report.decisions} decisions, {found}", flush=True)
    return 0


# --- bench ---------------------------------------------------------------------------------------------------------


def _add_bench(commands: Any) -> None:
    bench = commands.add_parser("bench", help="measure speed beside peers", description="Measure speed beside peers, in one run.")
    bench.add_argument("room", metavar="BENCH", help="rules, search, server, page, envs, or what else benchmarks/ of the checkout holds")
    bench.add_argument("--json", action="store_true")
    bench.add_argument(
        "--versus-ismcts",
        type=words.positive,
        metavar="DEALS",
        help="envs: our search against OpenSpiel's on so many deals, seats exchanged",
    )
    bench.add_argument(
        "--keep", type=words.path, metavar="FILE", help="with --versus-ismcts: keep finished games there, and go on from them"
    )
    bench.add_argument("--part", choices=("aec", "vector", "observation", "first-step"), default="", help="envs: measure this alone")
    bench.set_defaults(run=_bench)


def _bench(args: argparse.Namespace) -> int:
    if args.room != "envs" and (args.versus_ismcts or args.keep or args.part):
        raise GameError(f"--versus-ismcts, --keep and --part belong to `bench envs`; {args.room} is measured whole")
    rows = _find_bench(args.room).measure(
        **({"versus_ismcts": args.versus_ismcts, "keep": args.keep, "part": args.part} if args.room == "envs" else {})
    )
    if args.json:
        print(json.dumps(rows, indent=2))
    else:
        for row in rows:
            mark = {True: "holds", False: "FAILS", None: ""}[row["holds"]]
            figure, peer = (
                f"{value:,.6g}" if isinstance(value, float | int) else str(value or "-") for value in (row["figure"], row["peer"])
            )
            print(f"{row['what']:70} {figure:>12}  peer {peer:>12}  bar {row['bar'] or '-':14} {mark}")
    return 1 if any(row["holds"] is False for row in rows) else 0


def _find_bench(name: str) -> Any:
    """A bench of the checkout that this command runs from: they are no part of what is installed."""
    import importlib

    checkout = Path(__file__).parents[3]
    benches = sorted(path.stem.removeprefix("bench_") for path in (checkout / "benchmarks").glob("bench_*.py"))
    if not benches:
        raise GameError("the benches are part of the source, not of the package: run this command from a checkout, after `make setup`")
    if name not in benches:
        raise GameError(f"there is no bench {name!r}; the benches are {', '.join(benches)}")
    sys.path.insert(0, str(checkout))
    return importlib.import_module(f"benchmarks.bench_{name}")
