"""`drunemeton lab`: experiments on games."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from ..rules.game import playable
from . import settings, words
from .ending import INTERRUPTED


def add(commands: Any) -> None:
    """The command, and what it takes."""
    lab = commands.add_parser(
        "lab",
        help="find out what a changed rule does to a game",
        description="Experiments: settings of a game that play the same deals, with intervals and plain words (docs/lab.md).",
    )
    inside = lab.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_new(inside)
    run = inside.add_parser(
        "run", help="play an experiment, or go on with it", description="Play an experiment; Ctrl+C keeps what was played."
    )
    run.add_argument("file", type=words.path, metavar="EXPERIMENT", help="the experiment (.toml), or a result (.json) to play again")
    run.add_argument("--out", type=words.path, metavar="RESULT", help="where the result goes (default: beside the experiment, .json)")
    run.add_argument("--processes", type=words.positive, help="deals side by side (default: one for each core)")
    where = "where: cpu, gpu (random and greedy), ray (on this machine) or ray://HOST:PORT (a cluster)"
    run.add_argument("--on", type=words.place, default="cpu", help=where)
    run.set_defaults(run=_run)
    report = inside.add_parser("report", help="write a result for reading", description="Write a result as Markdown or as one HTML file.")
    report.add_argument("file", type=words.path, metavar="RESULT")
    report.add_argument("--out", type=words.path, metavar="FILE", help="FILE.html or FILE.md (default: Markdown to the terminal)")
    report.set_defaults(run=_report)
    compare = inside.add_parser("compare", help="two results side by side", description="What differs between two results.")
    compare.add_argument("files", type=words.path, nargs=2, metavar="RESULT")
    compare.add_argument("--json", action="store_true")
    compare.set_defaults(run=_compare)
    _add_studies(inside)
    things = inside.add_parser(
        "things", help="what can be named in a game", description="Actions, cards and places that a player may be held to."
    )
    things.add_argument("game", choices=playable())
    things.set_defaults(run=_things)
    game = inside.add_parser("game", help="write the record of one game of a result", description="The record of one deal, for replay.")
    game.add_argument("file", type=words.path, metavar="RESULT")
    game.add_argument("--deal", type=words.seed, required=True)
    game.add_argument("--setting", help="which setting (default: the first)")
    game.add_argument("--turned", type=words.step, default=0, help="of mirrored deals: how many seats further on everybody sits")
    game.set_defaults(run=_game)


def _add_new(inside: Any) -> None:
    new = inside.add_parser("new", help="write a new experiment", description="Write a new experiment to a file, to be changed and run.")
    new.add_argument("game", choices=playable())
    new.add_argument("--set", action="append", default=[], metavar="NAME=VALUES", help=settings.CHANGE)
    new.add_argument("--seats", help="who plays (default: greedy at the smallest table)")
    new.add_argument("--deals", type=words.positive, default=1000)
    new.add_argument("--mirrored", action="store_true", help="every deal once from each seat")
    new.add_argument("--out", type=words.path, metavar="FILE", help="where to (default: to the terminal)")
    new.set_defaults(run=_new)


def _add_studies(inside: Any) -> None:
    what = "Play a game's study, one experiment after the other."
    study = inside.add_parser("study", help="play all experiments of a study", description=what)
    study.add_argument("game", choices=playable())
    study.add_argument("--file", type=words.path, help="another study than the one that comes with the game")
    study.add_argument("--out", type=words.path, required=True, metavar="DIR", help="where the results go; those that are there are kept")
    study.add_argument("--processes", type=words.positive, help="deals side by side (default: one for each core)")
    study.add_argument("--times", type=words.positive, default=1, metavar="N", help="play so many times as many deals")
    study.add_argument("--only", action="append", metavar="NAME", help="this experiment of the study (may be given several times)")
    study.set_defaults(run=_study)
    page = inside.add_parser(
        "page", help="put what a study found into a page", description="Write the tables of a study between the marks of a page."
    )
    page.add_argument("game", choices=playable())
    page.add_argument("--from", dest="folder", type=words.path, required=True, metavar="DIR", help="where the study's results are")
    page.add_argument("--into", type=words.path, required=True, metavar="PAGE", help="the Markdown page")
    page.set_defaults(run=_page)
    _add_search(inside)
    rulings = inside.add_parser(
        "rulings",
        help="what the other reading of every ruling would do",
        description="Play every other reading of every ruling that has an option; write what it does into the page of rulings and beside "
        "the options in the set-up page.",
    )
    rulings.add_argument("--players", action="append", metavar="BOT=DEALS", help="who plays, and how often (default: greedy=1000)")
    rulings.add_argument("--out", type=words.path, required=True, metavar="DIR", help="where the results go; those that are there are kept")
    rulings.add_argument("--processes", type=words.positive, help="deals side by side (default: one for each core)")
    rulings.add_argument("--page", type=words.path, help="the page of rulings, to be written anew: docs/rulings.md")
    rulings.set_defaults(run=_rulings)


def _add_search(inside: Any) -> None:
    what = "Search for settings that reach a goal: every knob by itself, then with the best; all tries are shown."
    search = inside.add_parser("search", help="which knobs reach a goal", description=what)
    search.add_argument("game", choices=playable())
    goal = "a measure and its bounds: length.minutes=40..50, starter.wins=..0.52"
    search.add_argument("--goal", action="append", required=True, metavar="MEASURE=LOW..HIGH", help=goal)
    search.add_argument("--set", action="append", required=True, metavar="NAME=VALUES", help="a knob, and the values that may be tried")
    search.add_argument("--seats", help="who plays (default: greedy at the smallest table)")
    search.add_argument("--deals", type=words.positive, default=100)
    search.add_argument("--processes", type=words.positive, help="deals side by side (default: one for each core)")
    search.set_defaults(run=_search)


def _new(args: argparse.Namespace) -> int:
    import tomllib

    from ..bots.own import check_names
    from ..lab.experiment import made, write
    from ..rules.changes import read_change
    from ..rules.game import find_game

    game = find_game(args.game)
    players = args.seats.split(",") if args.seats is not None else ["greedy"] * game.players[0]
    check_names(game, players)
    text = write(args.game, players, [read_change(game, one) for one in args.set], args.deals, mirrored=args.mirrored)
    made(tomllib.loads(text))  # refuses what could not be played
    words.give_out(text, args.out)
    if args.out is not None:
        print(f"drunemeton lab run {args.out}", file=sys.stderr)
    return 0


def _run(args: argparse.Namespace) -> int:
    from ..bots.arena import playing_on
    from ..bots.compiling import Compiling
    from ..lab.experiment import from_result, read
    from ..lab.report import report
    from ..lab.result import Columns, read_result
    from ..lab.running import Run, beside
    from ..terminal.progress import Progress

    again = args.file.suffix == ".json"
    experiment = from_result(read_result(args.file).data["experiment"]) if again else read(args.file)
    out = args.out or (args.file.with_name(f"{args.file.stem}-again.json") if again else args.file.with_suffix(".json"))
    words.can_write(out, "the result")
    with Compiling("compiling the rules, once on this machine"), playing_on(args.on):
        run = Run(experiment, out, processes=words.hands(args.on, args.processes), on="gpu" if args.on == "gpu" else "cpu")
        with Progress("playing", experiment.deals) as bar:

            def each(done: int, columns: Columns) -> None:
                while bar.done < done:
                    bar.step("playing")

            try:
                result = run.run(each)
            except KeyboardInterrupt:
                kept = beside(out, "games.jsonl")
                print(f"\ninterrupted after {run.columns.deals} deals: {kept} keeps them, the same command goes on", file=sys.stderr)
                return INTERRUPTED
    print(report(result, run.timing()), end="")
    print(f"result: {out}", file=sys.stderr)
    return 0


def _report(args: argparse.Namespace) -> int:
    from ..lab.report import report, write_html, write_markdown
    from ..lab.result import read_result
    from ..lab.running import times_of
    from ..rules.errors import GameError

    result, times = read_result(args.file), times_of(args.file)
    if args.out is None:
        print(report(result, times), end="")
    elif args.out.suffix == ".html":
        write_html(result, args.out, times)
    elif args.out.suffix == ".md":
        write_markdown(result, args.out, times)
    else:
        raise GameError("a report is written to FILE.html or FILE.md")
    return 0


def _compare(args: argparse.Namespace) -> int:
    from ..lab.compare import compare
    from ..lab.measures import shown
    from ..lab.result import read_result
    from ..lab.words import name_of

    found = compare(*(read_result(path) for path in args.files))
    if args.json:
        print(json.dumps(found, indent=2))
        return 0
    print(f"{found['names'][0]} ({found['deals'][0]} deals) and {found['names'][1]} ({found['deals'][1]} deals); * is certain")
    for row in found["measures"]:
        if row["one"] or row["other"]:
            name, low, high = row["measure"], shown(row["measure"], row["low"], sign=True), shown(row["measure"], row["high"], sign=True)
            told = f"{shown(name, row['one']):>10} {shown(name, row['other']):>10} {shown(name, row['mean'], sign=True):>10}"
            print(f"{name_of(name):44} {told}  ({low} to {high}){' *' if row['certain'] else ''}")
    return 0


def _game(args: argparse.Namespace) -> int:
    from ..lab.experiment import from_result
    from ..lab.result import read_result
    from ..lab.running import record_of

    experiment = from_result(read_result(args.file).data["experiment"])
    print(record_of(experiment, args.setting, args.deal, args.turned), end="")
    return 0


def _things(args: argparse.Namespace) -> int:
    from ..lab.things import things
    from ..rules.game import find_game

    print("\n".join(things(find_game(args.game)).names))
    return 0


def _told(label: str, experiment: Any) -> Any:
    """What is told of an experiment among others: a line at its beginning, one at each tenth."""
    print(f"{label}: {experiment.deals} deals, {len(experiment.settings)} settings", file=sys.stderr, flush=True)

    def each(done: int, columns: Any) -> None:
        if done % max(1, experiment.deals // 10) == 0:
            print(f"{label}: {done} of {experiment.deals}", file=sys.stderr, flush=True)

    return each


def _study(args: argparse.Namespace) -> int:
    from ..lab.study import read_study, run_study
    from ..rules.errors import GameError

    study = read_study(args.game, args.file, times=args.times)
    for name in args.only or ():
        if name not in study:
            raise GameError(f"there is no experiment {name!r}; they are {', '.join(study)}")
    wanted = {name: one for name, one in study.items() if not args.only or name in args.only}
    try:
        run_study(wanted, args.out, processes=args.processes, told=_told)
    except KeyboardInterrupt:
        return _goes_on(args.out)
    return 0


def _goes_on(folder: Path) -> int:
    print(f"\ninterrupted: {folder} keeps what was played, the same command goes on", file=sys.stderr)
    return INTERRUPTED


def _rulings(args: argparse.Namespace) -> int:
    from datetime import date

    from ..lab import rulings
    from ..lab.study import run_study
    from ..rules.errors import GameError

    page = args.page.read_text(encoding="utf-8") if args.page else None
    results = {}
    for text in args.players or ["greedy=1000"]:
        players, _, deals = text.partition("=")
        if not deals.isdecimal():
            raise GameError(f"--players is {text!r}; write BOT=DEALS, such as greedy=1000")
        named = rulings.options_in(page) if page is not None else None
        found = rulings.experiments(players, int(deals), named=named)
        study = {f"rulings-{game}-{players}": one for game, one in found.items()}
        try:
            played = run_study(study, args.out, processes=args.processes, told=_told)
        except KeyboardInterrupt:
            return _goes_on(args.out)
        results[players] = dict(zip(found, played.values(), strict=True))
    told = rulings.effects(results)
    rulings.write_data(told, f"drunemeton lab rulings, {date.today()}, {', '.join(args.players or ['greedy=1000'])}")
    if page is not None:
        args.page.write_text(rulings.into_page(page, told), encoding="utf-8")
    return 0


def _page(args: argparse.Namespace) -> int:
    from ..lab.pages import into, page
    from ..lab.result import read_result
    from ..lab.study import read_study
    from ..locales import catalogue

    found = {name: args.folder / f"{name}.json" for name in read_study(args.game)}
    results = {name: read_result(path) for name, path in found.items() if path.exists()}
    args.into.write_text(into(args.into.read_text(encoding="utf-8"), page(results, catalogue("en"))), encoding="utf-8")
    lacking = [name for name in found if name not in results]
    if lacking:
        print(f"not played yet: {', '.join(lacking)}", file=sys.stderr)
    return 0


def _search(args: argparse.Namespace) -> int:
    from ..lab.goal import Try, confirmed, read_goal, search
    from ..lab.words import interval
    from ..rules.changes import read_change
    from ..rules.game import find_game

    def line(one: Try) -> str:
        figures = ", ".join(f"{measure} {interval(measure, figure)}" for measure, figure in one.figures.items())
        return f"{one.name}: {figures}{'' if one.missed else '  REACHED'}"

    def told(one: Try) -> None:
        print(line(one), file=sys.stderr, flush=True)

    knobs = dict(read_change(find_game(args.game), text) for text in args.set)
    players = args.seats.split(",") if args.seats else None
    goals = [read_goal(text) for text in args.goal]
    tries = search(args.game, goals, knobs, players=players, deals=args.deals, processes=args.processes, told=told)
    print("all tries, the nearest first:")
    for one in tries:
        print(f"  {line(one)}")
    if tries[0].missed:
        print("none of these reaches the goal; more knobs or values may")
        return 0
    again = confirmed(args.game, goals, tries[0], players=players, deals=args.deals, processes=args.processes)
    sure = all(goal.holds(again.figures[goal.measure]) for goal in goals)
    verdict = (
        "not there" if again.missed else "there too" if sure else "there too, but its intervals reach beyond the goal: play more deals"
    )
    print(f"the best once more, on {args.deals} other deals: {line(again).removesuffix('  REACHED')}; it reaches the goal {verdict}")
    return 0
