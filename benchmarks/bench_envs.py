"""`drunemeton bench envs`: how fast the environments are, beside their peers in the same run. CPU time, best of interleaved rounds.

`--versus-ismcts DEALS` lets our search play OpenSpiel's Python ISMCTS instead, each deal twice with seats exchanged.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from drunemeton.bots.levels import Strength
from drunemeton.bots.search import Searcher
from drunemeton.bots.simulation import wilson
from drunemeton.envs.world import Setting, World, desk, observe
from drunemeton.rules.game import apply, find_game, playable, random_action, start, to_move
from drunemeton.rules.kernel import Row as Numbers
from drunemeton.rules.kernel import rule, set_record

from . import bars, hearts
from .rows import Measured, interleaved, peer, rate, row

ROUNDS = 9
SECONDS = 0.4
GAMES = (64, 128, 256, 512, 1024, 2048)  # side by side in the vector
BETWEEN = 8  # steps from one look at the clock to the next, which takes as long as some games
HEX_GAMES = (256, 1024, 4096)


def measure(versus_ismcts: int | None = None, keep: Path | None = None, part: str = "") -> list[Measured]:
    """All rows, or those of one part."""
    if versus_ismcts:
        return versus(versus_ismcts, keep)
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"  # PettingZoo's classics bring it, and rows as JSON begin with a bracket
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
    return [found for name, rows in PARTS.items() if part in ("", name) for found in rows()]


def _aec_rows() -> list[Measured]:
    best = interleaved({"connect_four": _connect_four(), **{name: _aec(name) for name in playable()}}, ROUNDS)
    four = best["connect_four"]
    return [row(f"{name}, AEC raw_env steps/s (peer: connect_four)", best[name], peer=four, at_least=5 * four) for name in playable()]


def _vector_rows() -> list[Measured]:
    """Everybody with the number of games side by side that suits him best."""
    jobs = {"hearts": hearts.from_python(SECONDS, observed=True), **{f"hex {count}": _hex(count) for count in HEX_GAMES}}
    for name in playable():
        jobs |= {f"{name} {count}": _vector(name, count) for count in GAMES}
    best = interleaved(jobs, ROUNDS)

    def fastest(name: str, counts: tuple[int, ...]) -> int:
        return max(counts, key=lambda count: best[f"{name} {count}"])

    rows = []
    side = fastest("hex", HEX_GAMES)
    theirs = best[f"hex {side}"]
    for name in playable():
        count = fastest(name, GAMES)
        ours = best[f"{name} {count}"]
        what = f"{name}, vector steps/s a core, observed, {count} games"
        rows.append(row(f"{what} (peer: Pgx hex, {side} games)", ours, peer=theirs, at_least=10 * theirs))
        rows.append(row(f"{what} (peer: OpenSpiel hearts)", ours, peer=best["hearts"], at_least=20 * best["hearts"]))
    for name, figure in best.items():
        print(f"{name}: {figure:,.0f}/s", file=sys.stderr)
    return rows


def _observation_rows() -> list[Measured]:
    rows = []
    for name in playable():
        seen, moved = _observation(name)
        rows.append(row(f"{name}, an observation, microseconds (peer: a random move)", seen, peer=moved, below=3 * moved))
    return rows


# --- Our side ------------------------------------------------------------------------------------------------------


def drive(env: Any, seconds: float) -> float:
    """Steps a second of a PettingZoo environment, asked as its users ask it; some legal action is found at the speed of C."""
    rng = random.Random(1)
    steps = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        env.reset()
        for _ in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = seen["action_mask"].tobytes()
            action = mask.find(1, int(rng.random() * len(mask)))
            env.step(action if action >= 0 else mask.find(1))
            steps += 1
    return steps / (time.process_time() - began)


def _aec(name: str) -> Callable[[], float]:
    from drunemeton.envs.aec import named

    env = named(name)()
    drive(env, 0.01)
    return lambda: drive(env, SECONDS)


def _vector(name: str, count: int) -> Callable[[], float]:
    import numpy as np

    from drunemeton.envs.gym import SeatsVectorEnv

    env = SeatsVectorEnv(name, count, opponents="self", copy=False)
    env.reset(seed=1)

    def job() -> float:
        steps = 0
        began = time.process_time()
        while time.process_time() - began < SECONDS:
            for _ in range(BETWEEN):
                ended = env.step(env.random_actions())[2]
                steps += count - int(np.count_nonzero(ended))  # those are dealt anew in the next step, which is no decision
        return steps / (time.process_time() - began)

    return job


@rule
def observe_often(knows: Any, seat: int, seen: Numbers, times: int) -> int:
    """Observe all of these, so many times over."""
    entries = 0
    for _ in range(times):
        for i in range(len(knows)):
            for n in range(len(seen)):
                seen[n] = 0
            entries += observe(knows[i], knows[i], seat, seen)
    return entries


@rule
def move_often(prepared: Any, states: Any, desks: Any, games: int) -> int:
    """Play games at random, telling nobody; answers the moves."""
    moves = 0
    for _ in range(games):
        set_record(states, 0, prepared, 0)
        desks[0].listening = 0
        start(states[0], desks[0])
        while to_move(states[0]) >= 0:
            apply(states[0], desks[0], random_action(states[0], desks[0]))
            moves += 1
    return moves


def _observation(name: str) -> tuple[float, float]:
    """Microseconds for an observation and for a random move without any telling."""
    setting = Setting(name)
    world = World(setting)
    rng = random.Random(1)
    count = 200
    knows = setting.knows(count)
    at = 0
    number = 0
    while at < count:
        number += 1
        mover = world.deal(number)
        while mover >= 0 and at < count:
            knows[at : at + 1] = world.knows[mover : mover + 1]
            at += 1
            mask = world.look(mover)[1]
            mover = world.play(int(rng.choice(mask.nonzero()[0])))
    engine = setting.calls.engine
    look, move = engine.twin(observe_often), engine.twin(move_often)
    seen, _ = setting.layout.empty()
    states, desks = setting.states(), engine.desk(1)
    look(knows, 0, seen, 1)
    move(setting.prepared, states, desks, 1)

    def observed() -> float:
        began = time.process_time()
        look(knows, 0, seen, 20)
        return 20 * count / (time.process_time() - began)

    best = interleaved({"seen": observed, "moved": rate(lambda games: int(move(setting.prepared, states, desks, games)))}, 2 * ROUNDS)
    assert desk() is not None
    return 1e6 / best["seen"], 1e6 / best["moved"]


_FIRST = """
import importlib, sys, time; began = time.perf_counter()
env = importlib.import_module(f"drunemeton.envs.{sys.argv[1]}_v0").env(); env.reset(seed=1)
env.step(int(env.last()[0]["action_mask"].nonzero()[0][0]))
print(time.perf_counter() - began)
"""


def _told(code: str, *words: str, **settings: str) -> float:
    """What Python prints that is started with this code."""
    environment = {**os.environ, **settings}
    return float(subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True, env=environment).stdout)


def _first_step() -> list[Measured]:
    rows = []
    for name in playable():
        seconds = min(_told(_FIRST, name) for _ in range(3))
        rows.append(row(f"{name}, import to first step in PettingZoo, warm, seconds", seconds, below=bars.FIRST_STEP.get(name)))
    return [*rows, *_first_moves()]


_SEARCHED = """
import sys, time; began = time.perf_counter()
from drunemeton.bots import ask_once, make_bot
from drunemeton.rules.game import find_game
game = find_game(sys.argv[1])
ask_once(make_bot(game, sys.argv[2], plain=False), game)
print(time.perf_counter() - began)
"""


def _first_moves() -> list[Measured]:
    """From the start of Python to a level's first answer, by the clock: with nothing compiled, and with everything compiled."""
    found = []
    for name in playable():
        with tempfile.TemporaryDirectory() as cache:
            cold = _told(_SEARCHED, name, "level-8", DRUNEMETON_CACHE=cache)
            warm = [_told(_SEARCHED, name, "level-5", DRUNEMETON_CACHE=cache) for _ in range(4)]
        found.append(
            row(f"{name}, import to level 8's first move, nothing compiled yet, seconds", cold, below=bars.FIRST_MOVE_COLD.get(name))
        )
        found.append(row(f"{name}, import to level 5's first move, warm, seconds", min(warm[1:]), below=1))
    return found


# --- The peers -----------------------------------------------------------------------------------------------------


def _connect_four() -> Callable[[], float]:
    peer("pygame")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic import connect_four_v3
    env = connect_four_v3.raw_env()
    return lambda: drive(env, SECONDS)


def _hex(count: int) -> Callable[[], float]:
    peer("pgx")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import jax
        import pgx
        from pgx.experimental import auto_reset
    env = pgx.make("hex")
    step = jax.vmap(auto_reset(env.step, env.init))
    length = 32

    def once(state: Any, key: Any) -> Any:
        choice, deal = jax.random.split(key)
        action = jax.random.categorical(choice, jax.numpy.log(state.legal_action_mask.astype("float32")), axis=-1)
        state = step(state, action, jax.random.split(deal, count))
        return state, state.observation.sum()

    run = jax.jit(lambda state, key: jax.lax.scan(once, state, jax.random.split(key, length)))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), count))
    run(state, jax.random.PRNGKey(1))[1].block_until_ready()

    def job() -> float:
        began = time.process_time()
        run(state, jax.random.PRNGKey(2))[1].block_until_ready()
        return count * length / (time.process_time() - began)

    return job


PARTS: dict[str, Callable[[], list[Measured]]] = {
    "aec": _aec_rows,
    "vector": _vector_rows,
    "observation": _observation_rows,
    "first-step": _first_step,
}


# --- Our search against theirs -------------------------------------------------------------------------------------

SIMULATIONS = 1000
EXPLORE = 1.0  # theirs
LONGEST_THOUGHT = 200_000  # simulations of ours at equal time, at most


def versus(deals: int, keep: Path | None = None, simulations: int = SIMULATIONS) -> list[Measured]:
    """Mirrored deals: at equal simulations, then at equal time (ours gets as long as theirs took for a decision).

    Both think in one thread, and time is the processor's. Finished games are kept in a file, one line each; a run goes on from there.
    """
    kept: dict[tuple[str, int, int], Measured] = {}
    if keep is not None and keep.exists():
        for line in keep.read_text().splitlines():
            one = json.loads(line)
            kept[one["at"], one["deal"], one["seat"]] = one

    def play(at: str, ours: int) -> list[Measured]:
        played = []
        for deal in range(deals):
            for seat in (0, 1):
                one = kept.get((at, deal, seat))
                if one is None:
                    one = {"at": at, "deal": deal, "seat": seat, "simulations": [ours, simulations], **_duel(deal, seat, ours, simulations)}
                    line = json.dumps(one)
                    print(line, file=sys.stderr, flush=True)
                    if keep is not None:
                        with keep.open("a") as file:
                            file.write(line + "\n")
                if one["simulations"][1] != simulations:
                    raise ValueError(f"{keep} holds games with {one['simulations']} simulations")
                played.append(one)
        return played

    _duel(0, 0, 10, 10)  # whatever must be compiled or loaded is no thinking
    equal = play("equal simulations", simulations)
    ours, theirs = (sum(one["seconds"][side] for one in equal) / sum(one["asked"][side] for one in equal) for side in (0, 1))
    more = min(int(simulations * theirs / ours), LONGEST_THOUGHT)
    timed = play("equal time", more)
    rows = []
    for what, played, bar in ((f"{simulations} simulations each", equal, 0.55), (f"equal time, {more} against {simulations}", timed, None)):
        points = sum(one["points"] for one in played)
        low, high = wilson(points, len(played))
        text = f"our search against OpenSpiel's ISMCTS, {what}: share (95 %: {low:.3f} to {high:.3f}, {len(played)} games)"
        rows.append(row(text, points / len(played), at_least=bar))
        spent = [sum(one["seconds"][side] for one in played) / sum(one["asked"][side] for one in played) for side in (0, 1)]
        rows.append(row("seconds for a decision (peer: OpenSpiel's ISMCTS)", spent[0], peer=spent[1]))
    return rows


def _duel(deal: int, seat: int, ours: int, theirs: int) -> Measured:
    """One game, ours at this seat: our points, the seconds of each side and how often it was asked."""
    import numpy as np
    from open_spiel.python.algorithms import ismcts

    from drunemeton.envs.rollouts import RolloutEvaluator
    from drunemeton.envs.spiel import DRAWS

    pyspiel = peer("pyspiel")
    searcher = Searcher(find_game(bars.ANY_GAME), Strength(ours, horizon=6))
    arena = pyspiel.load_game(f"drunemeton_{bars.ANY_GAME}", {"seed": deal})
    rng = np.random.RandomState(2 * deal + seat)
    theirs_bot = ismcts.ISMCTSBot(arena, RolloutEvaluator(1, rng), EXPLORE, theirs, random_state=rng)
    # As it resamples by itself, but so that a game can be played again.
    theirs_bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.uniform))
    state = arena.new_initial_state()
    for number in range(DRAWS):
        state.apply_action(number)
    spent, asked = [0.0, 0.0], [0, 0]
    while not state.is_terminal():
        mover = state.current_player()
        side = int(mover != seat)
        began = time.process_time()
        if side == 0:
            knows = state.table.knows[mover : mover + 1].copy()
            action = searcher.consider_in(knows, seed=deal * 10_000 + len(state.history()))[0].action
        else:
            action = int(theirs_bot.step(state))
        spent[side] += time.process_time() - began
        asked[side] += 1
        state.apply_action(action)
    return {"points": (1 + state.returns()[seat]) / 2, "seconds": [round(one, 3) for one in spent], "asked": asked}
