"""`drunemeton bench gpu`: whole games and environments on a GPU, beside Pgx on the same device in the same run.

Processes compile side by side; then each measures alone, in turn.
"""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from drunemeton.rules.cuda import toolkit
from drunemeton.rules.game import find_game, playable

from .bars import GPU, OnGpu
from .rows import Measured, row

PEERS = {"hex": 4096, "backgammon": 4096, "sparrow_mahjong": 4096}  # Pgx, with so many games side by side at least
TIMES = 3
HOST = Path(__file__).parents[1]


def measure() -> list[Measured]:
    """All rows for the GPU."""
    toolkit()  # says what is missing, once, before all these processes do
    jobs = [f"{kind} {name}" for name in playable() for kind in ("games", "env")] + [f"peer {name}" for name in PEERS]
    with tempfile.TemporaryDirectory() as folder:
        path = os.pathsep.join([str(HOST), str(HOST / "src"), os.environ.get("PYTHONPATH", "")])
        settings = {**os.environ, "PYTHONPATH": path, "GPU_LOCK": f"{folder}/lock", "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
        running = {
            job: subprocess.Popen([sys.executable, "-m", __name__, *job.split()], stdout=subprocess.PIPE, env=settings) for job in jobs
        }
        found = {job: json.loads(process.communicate()[0].splitlines()[-1]) for job, process in running.items()}
    peers = {name: found[f"peer {name}"] for name in PEERS}
    best = max(peers.values())
    rows = []
    for name in playable():
        how, rate = GPU.get(name, OnGpu()), found[f"games {name}"]
        against = max(peers[other] for other in how.peers)
        rows.append(row(f"{name}, random decisions/s, whole games", rate, peer=against, at_least=how.games))
        rows.append(row(f"{name}, times Pgx's {' and '.join(how.peers).replace('_', ' ')}", rate / against, at_least=3))
        rows.append(row(f"{name}, vector environment with observations and masks, decisions/s", found[f"env {name}"], at_least=how.env))
    rows += [row(f"Pgx {name}, random decisions/s", rate) for name, rate in peers.items()]
    rows.append(row("the best of Pgx", best))
    return rows


def in_turn(job: Callable[[], float]) -> float:
    """The best of a few rates, measured while nobody else measures."""
    with Path(os.environ["GPU_LOCK"]).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return max(job() for _ in range(TIMES))


def games(name: str) -> float:
    """Random decisions a second over whole games."""
    import numpy as np

    from drunemeton.bots.device import DeviceTable

    game = find_game(name)
    table = DeviceTable(game, game.players[0], game.lay_out(game.players[0]))
    bots = ["random"] * game.players[0]
    count = GPU.get(name, OnGpu()).batch
    table.play(bots, 1, 64)

    def job() -> float:
        before = table.seconds
        reports = table.play(bots, 1, count)
        return float(reports[:, 0].astype(np.int64).sum() / (table.seconds - before))

    return in_turn(job)


def env(name: str) -> float:
    """Decisions a second with random actions, chosen on the device too."""
    from drunemeton.envs.device import DeviceEnv
    from drunemeton.rules.cuda import toolkit

    cuda = toolkit()
    env = DeviceEnv(name, GPU.get(name, OnGpu()).side_by_side)
    env.reset(1)
    for _ in range(40):
        env.step(env.random_actions())
    cuda.synchronize()

    def job() -> float:
        began = time.perf_counter()
        for _ in range(100):
            env.step(env.random_actions())
        cuda.synchronize()
        return env.num_envs * 100 / (time.perf_counter() - began)

    return in_turn(job)


def peer(name: str) -> float:
    """Decisions a second of a game of Pgx at random, whole games one after the other, as its authors measure: all in one compiled loop."""
    import jax
    import jax.numpy as jnp
    import pgx

    world = pgx.make(name)
    step, begin = jax.vmap(world.step), jax.vmap(world.init)
    steps = 200

    def once(carry: Any, _: Any) -> Any:
        state, key = carry
        key, one, two = jax.random.split(key, 3)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        action = jax.random.categorical(one, logits, axis=-1)
        over = state.terminated | state.truncated
        fresh = begin(jax.random.split(two, action.shape[0]))
        keys = jax.random.split(one, action.shape[0])
        moved = step(state, action, keys) if name in ("backgammon",) else step(state, action)
        pick = lambda new, old: jnp.where(over.reshape((-1,) + (1,) * (old.ndim - 1)), new, old)  # noqa: E731
        return (jax.tree_util.tree_map(pick, fresh, moved), key), None

    best = 0.0
    key = jax.random.PRNGKey(2)
    for count in (PEERS[name] * 4, PEERS[name] * 16, PEERS[name] * 64):
        run = jax.jit(lambda state, key: jax.lax.scan(once, (state, key), None, length=steps)[0])
        state = begin(jax.random.split(jax.random.PRNGKey(1), count))
        jax.block_until_ready(run(state, key))

        def job(run: Any = run, state: Any = state, count: int = count) -> float:
            began = time.perf_counter()
            jax.block_until_ready(run(state, key))
            return count * steps / (time.perf_counter() - began)

        best = max(best, in_turn(job))
    return best


if __name__ == "__main__":
    print(json.dumps({"games": games, "env": env, "peer": peer}[sys.argv[1]](sys.argv[2])))
