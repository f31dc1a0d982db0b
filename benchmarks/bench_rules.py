"""`drunemeton bench rules`: how fast the rules are, beside a peer in the same run. CPU time, best of five interleaved rounds."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
import threading
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import drunemeton
from drunemeton.rules.drive import Engine
from drunemeton.rules.game import Game, find_game, playable

from . import bars, hearts
from .rows import Job, Measured, interleaved, rate, row

ROUNDS = 5
LIMIT = 5000
GAME = find_game(bars.ANY_GAME)


def measure() -> list[Measured]:
    """All rows for the rules core."""
    games = [find_game(name) for name in playable()]
    jobs = {"hearts": hearts.rollouts(), "hearts from Python": hearts.from_python(observed=False)}
    for game in games:
        jobs |= {f"{game.name} compiled": _compiled(game), f"{game.name} plain": _plain(game)}
    return [
        *_rates(interleaved(jobs)),
        *(
            row(f"{game.name}, a random game in plain mode, seconds", _plain_game(game), below=bars.PLAIN_GAME.get(game.name))
            for game in games
        ),
        _two_threads(),
        _one_apply(),
        _warm_start(),
        *_sampling(),
        _silent_story(),
    ]


def _rates(best: dict[str, float]) -> list[Measured]:
    """Random decisions a second of every game, compiled and plain, beside the peer."""
    fast, slow = best["hearts"], best["hearts from Python"]
    rows = []
    for name in playable():
        asked = bars.COMPILED_BY_HEARTS[name] * fast if name in bars.COMPILED_BY_HEARTS else bars.COMPILED.get(name)
        rows.append(row(f"{name}, random decisions/s, compiled, one thread", best[f"{name} compiled"], peer=fast, at_least=asked))
        what = f"{name}, random decisions/s, plain (peer: hearts from Python)"
        rows.append(row(what, best[f"{name} plain"], peer=slow, at_least=bars.PLAIN.get(name)))
    return rows


def _boxes(game: type[Game], engine: Engine, number: int) -> tuple[Any, Any, Any]:
    state = game.state_type()
    components = game.default_components()
    fresh = game.new(seed=number)
    game.prepare(state, fresh.seats, fresh.options, components)
    return engine.box(state), engine.box(state), engine.desk(number)


def _compiled(game: type[Game]) -> Job:
    engine = Engine(game)
    boxes = _boxes(game, engine, 1)
    engine.random_games(*boxes, 10, LIMIT)
    return rate(lambda games: int(engine.random_games(*boxes, games, LIMIT)))


def _plain(game: type[Game]) -> Job:
    engine = Engine(game, plain=True)
    boxes = _boxes(game, engine, 1)
    play = rate(lambda games: int(engine.random_games(*boxes, games, LIMIT)), 0.4)

    def job() -> float:
        # Plain mode needs neither Numba nor the peer; their million objects must not be searched for garbage on its account.
        gc.collect()
        gc.freeze()
        found = play()
        gc.unfreeze()
        return found

    return job


def _plain_game(game: type[Game]) -> float:
    engine = Engine(game, plain=True)
    times = []
    for number in range(ROUNDS):
        boxes = _boxes(game, engine, number)
        began = time.process_time()
        engine.random_games(*boxes, 1, LIMIT)
        times.append(time.process_time() - began)
    return sum(times) / len(times)


# --- Two threads against two processes -----------------------------------------------------------------------------

GAMES_EACH = 120_000


def _worker(number: int, ready: Any, go: Any, done: Any) -> None:
    engine = Engine(GAME)
    boxes = _boxes(GAME, engine, number)
    engine.random_games(*boxes, 10, LIMIT)
    ready.put(number)
    go.wait()
    began = time.perf_counter()
    decisions = engine.random_games(*boxes, GAMES_EACH, LIMIT)
    done.put((int(decisions), time.perf_counter() - began))


def _two_processes() -> float:
    context = get_context("spawn")
    ready, done, go = context.Queue(), context.Queue(), context.Event()
    workers = [context.Process(target=_worker, args=(n, ready, go, done)) for n in (1, 2)]
    for worker in workers:
        worker.start()
    for _ in workers:
        ready.get()
    go.set()
    results = [done.get() for _ in workers]
    for worker in workers:
        worker.join()
    return float(sum(decisions for decisions, _ in results) / max(seconds for _, seconds in results))


def _both_threads() -> float:
    engine = Engine(GAME)
    boxes = [_boxes(GAME, engine, number) for number in (1, 2)]
    decisions: list[int] = []

    def work(own: tuple[Any, Any, Any]) -> None:
        decisions.append(int(engine.random_games(*own, GAMES_EACH, LIMIT)))

    threads = [threading.Thread(target=work, args=(own,)) for own in boxes]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(decisions) / (time.perf_counter() - began)


def _two_threads() -> Measured:
    best = interleaved({"threads": _both_threads, "processes": _two_processes})
    what = f"{GAME.name}, two threads, decisions/s (peer: two processes)"
    return row(what, best["threads"], peer=best["processes"], at_least=0.9 * best["processes"])


# --- Small costs ---------------------------------------------------------------------------------------------------


def _one_apply() -> Measured:
    engine = Engine(GAME)
    prepared, states, desks = _boxes(GAME, engine, 3)

    def job() -> float:
        spent, calls = 0.0, 0
        for number in range(40):
            states.view("u1")[:] = prepared.view("u1")
            engine.seed(desks, number, 1, 2)
            engine.start(states, desks)
            while engine.to_move(states) >= 0:
                engine.legal(states, desks)
                action = int(desks["moves"][0, 0])
                began = time.perf_counter()
                engine.apply(states, desks, action)
                spent += time.perf_counter() - began
                calls += 1
        return calls / spent

    return row("one apply(int) from Python, microseconds", 1e6 / interleaved({"apply": job})["apply"], below=5)


_FIRST_MOVE = """
import sys, time; began = time.perf_counter()
from drunemeton.rules.drive import Engine
from drunemeton.rules.game import find_game
game = find_game(sys.argv[1]); engine = Engine(game); state = game.state_type(); fresh = game.new(seed=1)
game.prepare(state, fresh.seats, fresh.options, fresh.components)
states, desks = engine.box(state), engine.desk(1)
engine.start(states, desks); engine.legal(states, desks); engine.apply(states, desks, int(desks["moves"][0, 0]))
print(time.perf_counter() - began)
"""


def _warm_start() -> Measured:
    seconds = [
        float(subprocess.run([sys.executable, "-c", _FIRST_MOVE, GAME.name], capture_output=True, text=True, check=True).stdout)
        for _ in range(4)
    ]
    return row("warm start to the first compiled move, seconds", min(seconds[1:]), below=3)


def _sampling() -> list[Measured]:
    engine = Engine(GAME)
    game = GAME.new(seed=5)
    for _ in range(14):
        game.play(game.actions()[-1])
    knows, states, desks = engine.box(game.knowledge[0]), engine.box(game.state), engine.desk(1)
    engine.sample(knows, desks, states, 10)
    moves = _compiled(GAME)

    def job() -> float:
        began = time.process_time()
        engine.sample(knows, desks, states, 200_000)
        return 200_000 / (time.process_time() - began)

    best = interleaved({"samples": job, "moves": moves})
    return [
        row(f"{GAME.name}, samples/s from a knowledge", best["samples"]),
        row(f"{GAME.name}, cost of a sample in random decisions", best["moves"] / best["samples"], below=10),
    ]


_SILENT = """
import sys, time
from benchmarks.bench_rules import GAME, _compiled
job = _compiled(GAME)
print("ready", flush=True)
for line in sys.stdin:
    print(job(), flush=True)
"""


def _silent_story() -> Measured:
    """Playouts with the empty event buffer against the same rules with the telling cut out of a copy of the source."""
    package = Path(drunemeton.__file__).parent
    with tempfile.TemporaryDirectory() as folder:
        for path in package.rglob("*"):
            if path.suffix in (".py", ".toml", ".json"):
                target = Path(folder) / package.name / path.relative_to(package)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(path.read_bytes())
        kernel = Path(folder) / package.name / "rules" / "kernel.py"
        text = kernel.read_text()
        silent = text.replace("    if d.listening:\n", "    if False:\n")
        assert silent != text
        kernel.write_text(silent)
        mute = subprocess.Popen(
            [sys.executable, "-c", _SILENT], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=_path(folder)
        )
        assert mute.stdin is not None
        assert mute.stdout is not None
        mute.stdout.readline()

        def job() -> float:
            assert mute.stdin is not None
            assert mute.stdout is not None
            print("go", file=mute.stdin, flush=True)
            return float(mute.stdout.readline())

        best = interleaved({"listening": _compiled(GAME), "mute": job})
        mute.stdin.close()
        mute.wait()
        mute.stdout.close()
    what = f"{GAME.name}, playouts with the empty event buffer (peer: without)"
    return row(what, best["listening"], peer=best["mute"], at_least=0.9 * best["mute"])


def _path(folder: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([folder, str(Path(__file__).parents[1])])}
