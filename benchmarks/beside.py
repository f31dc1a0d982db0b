"""Benches of this checkout beside those of an earlier commit: `python -m benchmarks.beside COMMIT rules`, or parts of one: `envs:vector`.

Both take turns, so that a machine that is busy for a while is busy for both. A row is the ratio of speeds, this one by that one, with its
95 % interval; it fails only if the whole interval lies beyond 5 % slower. The earlier commit is checked out into a folder of its own and
runs with the packages of this environment; each side has its first run, in which it compiles, for nothing. `--keep FILE` writes down every
pair of runs, and the same command goes on from there: a room takes the better part of an hour.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from .rows import Measured

HERE = Path(__file__).parents[1]
RUN = "import sys; from drunemeton.cli import main; sys.exit(main(sys.argv[1:]))"
SLOWER = 0.95
LESS_IS_FASTER = ("us", "ms", "kB")  # units of figures that are told in words
# Two-sided 95 % of Student's distribution, by degrees of freedom.
STUDENT = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228}


def bench(tree: Path, room: str) -> dict[str, Measured]:
    """One run of a bench of a checkout, or of a part of it, by what each row measures."""
    name, _, part = room.partition(":")
    asked = [name, "--part", part] if part else [name]
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    done = subprocess.run(
        [sys.executable, "-c", RUN, "bench", *asked, "--json"], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )
    try:
        rows: list[Measured] = json.loads(done.stdout[done.stdout.index("[") :])
    except ValueError:
        raise SystemExit(f"bench {room} in {tree} said nothing that can be read:\n{done.stdout}{done.stderr}") from None
    found = by_name(row for row in rows if number(row["figure"]) is not None)
    if not found:
        raise SystemExit(f"bench {room} in {tree} measured nothing that can be compared:\n{done.stdout}{done.stderr}")
    return found


def by_name(rows: Iterable[Measured]) -> dict[str, Measured]:
    """Rows by what they measure, without the number of games side by side that suited them best in that run."""
    return {re.sub(r", [\d,]+ games", "", row["what"]): row for row in rows}


def number(figure: float | str) -> float | None:
    """A figure, or the one with which its words begin."""
    if isinstance(figure, int | float):
        return float(figure)
    first = re.match(r"\d+(\.\d+)?", figure)
    return float(first[0]) if first else None


def faster(this: Measured, that: Measured) -> float:
    """How many times as fast this is: most figures are rates, those with an upper bar or such a unit are times or sizes."""
    ratio = (number(this["figure"]) or math.nan) / (number(that["figure"]) or math.nan)
    words = str(this["figure"]).split()
    less = (this["bar"] or that["bar"] or "").startswith("<") or (len(words) > 1 and words[1] in LESS_IS_FASTER)
    return 1 / ratio if less else ratio


def interval(ratios: Sequence[float]) -> tuple[float, float, float]:
    """The mean of ratios and its 95 % interval, both on the scale of logarithms."""
    logs = [math.log(ratio) for ratio in ratios]
    mean, runs = statistics.fmean(logs), len(logs)
    within = STUDENT[min(runs - 1, 10)] * statistics.stdev(logs) / math.sqrt(runs)
    return math.exp(mean), math.exp(mean - within), math.exp(mean + within)


def compared(runs: Sequence[tuple[dict[str, Measured], dict[str, Measured]]]) -> list[tuple[str, float, float, float, bool]]:
    """Row by row: what it measures, the ratio, its interval, and whether it holds."""
    shared = [what for what in runs[0][0] if all(what in this and what in that and number(that[what]["figure"]) for this, that in runs)]
    found = []
    for what in shared:
        ratio, low, high = interval([faster(this[what], that[what]) for this, that in runs])
        found.append((what, ratio, low, high, high >= SLOWER))
    return found


def in_turns(room: str, that: Path, count: int, keep: Path | None) -> list[tuple[dict[str, Measured], dict[str, Measured]]]:
    """So many pairs of runs of a room, those that were kept among them."""
    said = [json.loads(line) for line in keep.read_text(encoding="utf-8").splitlines()] if keep and keep.exists() else []
    runs = [(by_name(one["this"].values()), by_name(one["that"].values())) for one in said if one["room"] == room]
    if len(runs) < count:
        bench(HERE, room), bench(that, room)
    for number in range(len(runs), count):
        order = [HERE, that] if number % 2 == 0 else [that, HERE]
        by_tree = {tree: bench(tree, room) for tree in order}
        runs.append((by_tree[HERE], by_tree[that]))
        print(f"{room}: {number + 1} of {count}", file=sys.stderr, flush=True)
        if keep:
            with keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"room": room, "this": by_tree[HERE], "that": by_tree[that]}) + "\n")
    return runs[:count]


def main(words: Sequence[str] | None = None) -> int:
    """Compare, print, and answer 1 if a row fails."""
    asked = argparse.ArgumentParser(prog="python -m benchmarks.beside", description=(__doc__ or "").split("\n")[0])
    asked.add_argument("commit")
    asked.add_argument("rooms", nargs="+")
    asked.add_argument("--runs", type=int, default=7)
    asked.add_argument("--keep", type=Path, metavar="FILE", help="write every pair of runs there, and go on from it")
    args = asked.parse_args(words)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        that = Path(folder) / "that"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", str(that), args.commit], cwd=HERE, check=True)
        try:
            for room in args.rooms:
                runs = in_turns(room, that, args.runs, args.keep)
                for what, ratio, low, high, holds in compared(runs):
                    failed |= not holds
                    print(f"{room}  {what}: {ratio:.3f} ({low:.3f} to {high:.3f})  {'holds' if holds else 'SLOWER'}", flush=True)
                alone = sorted(set(runs[0][0]) ^ set(runs[0][1]))
                if alone:
                    print(f"{room}  measured on one side only: {'; '.join(alone)}", flush=True)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(that)], cwd=HERE, check=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
