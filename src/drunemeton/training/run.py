"""One run of learning, in a folder of its own: its plan, its curve, where it stands, and the weights it ends with."""

from __future__ import annotations

import copy
import functools
import hashlib
import json
import os
import platform
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import torch

from .. import __version__
from ..bots.arena import workers
from ..bots.reflex import Reflex, encoding_of
from ..rules.errors import GameError
from .apprentice import watch
from .network import Network, likelihoods
from .selfplay import Dials, Learner, Tables, play
from .tables import HELD_OUT, make_tables

PART = 128  # games that tell the strength and are played at once, on a processor
PLAN, CURVE, STANDING, WEIGHTS, ABOUT = "plan.json", "curve.jsonl", "standing.pt", "weights.npz", "result.json"


@dataclass(frozen=True)
class Plan:
    """What a run does; together with the code's mark it says how weights came about."""

    game: str
    seats: tuple[int, ...]
    updates: int
    games: tuple[int, ...] = (8192,)  # side by side, for each number of players
    steps: int = 64  # decisions in each of them between two lessons
    width: int = 512
    blocks: int = 2
    seed: int = 1
    judged_every: int = 50  # updates between two looks at the strength
    judged_games: int = 512
    options: dict[str, Any] = field(default_factory=dict)
    watched: int = 1000  # games of greedy, for each number of players, before the learner plays against itself
    epochs: int = 6  # how often it goes through them
    lesson: int = 4096  # decisions of greedy that are looked at together
    start: str = ""  # the hash of the weights it began with; none: it began with nothing
    dials: Dials = field(default_factory=Dials)

    @classmethod
    def sized(cls, device: str, game: str, seats: tuple[int, ...], games: int | None, judged: int | None, **more: Any) -> Plan:
        """A plan that a device can carry out: a GPU takes thousands of games in one lesson, a processor learns more from small ones."""
        if device == "cuda":
            return cls(game, seats, games=(games or 24_576,) * len(seats), judged_games=judged or 512, **more)
        small: dict[str, Any] = {"steps": 32, "lesson": 512, "dials": Dials(rate=5e-5, entropy=0.002, batch=2048)}
        return cls(game, seats, games=(games or 256,) * len(seats), judged_games=judged or 256, **small, **more)

    @classmethod
    def read(cls, path: Path) -> Plan:
        """A plan from its file."""
        told = json.loads(path.read_text(encoding="utf-8"))
        return cls(**{**told, "seats": tuple(told["seats"]), "games": tuple(told["games"]), "dials": Dials(**told["dials"])})

    def text(self) -> str:
        """The plan as its file says it."""
        return json.dumps({**asdict(self), "dials": self.dials._asdict()}, indent=2) + "\n"


@dataclass
class HowFar:
    """How far a run is."""

    updates: int
    of: int
    decisions: int
    seconds: float
    told: dict[str, float]


class Training:
    """A run in its folder: begun anew, or gone on with."""

    hands = 0  # how many play side by side elsewhere (`playing_on`): what is watched, and what tells the strength

    def __init__(self, folder: Path, plan: Plan, device: str) -> None:
        self.folder, self.plan, self.device = folder, plan, torch.device(device)
        torch.manual_seed(plan.seed)
        self.network = Network(encoding_of(plan.game), plan.width, plan.blocks).to(self.device)
        self.learner = Learner(self.network)
        self.updates = self.decisions = 0
        self.seconds = 0.0

    @classmethod
    def begin(cls, folder: Path, plan: Plan, device: str, start: Path | None = None) -> Training:
        """A new run in an empty folder, from what another has learnt if that is given: then nobody is watched any more."""
        if folder.exists() and any(folder.iterdir()):
            raise GameError(f"{folder} is not empty; go on with the run in it by --resume, or name another folder")
        if start:
            plan = replace(plan, start=hashlib.sha256(start.read_bytes()).hexdigest(), watched=0)
        run = cls(folder, plan, device)
        if start:
            run.network.take(Reflex.load(start))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / PLAN).write_text(plan.text(), encoding="utf-8")
        return run

    @classmethod
    def resume(cls, folder: Path, device: str) -> Training:
        """A run that was interrupted."""
        if not (folder / PLAN).is_file():
            raise GameError(f"{folder} holds no run: it has no {PLAN}")
        run = cls(folder, Plan.read(folder / PLAN), device)
        if (folder / STANDING).is_file():
            kept = torch.load(folder / STANDING, map_location=run.device, weights_only=True)
            run.network.load_state_dict(kept["network"])
            run.learner.optimiser.load_state_dict(kept["optimiser"])
            run.updates, run.decisions, run.seconds = kept["updates"], kept["decisions"], kept["seconds"]
        return run

    def learn(self, seconds: float | None = None) -> Iterator[HowFar]:
        """Learn until the plan is done or the time is up; tells how it goes after every update."""
        plan = self.plan
        # Deals go on where an interrupted run may have been at the most, so that none is learnt from twice.
        first = plan.seed * (1 << 32) + self.updates * sum(plan.games) * plan.steps
        tables = [
            make_tables(plan.game, seats, games, first, self.device, options=plan.options)
            for seats, games in zip(plan.seats, plan.games, strict=True)
        ]
        if not self.updates and plan.watched:
            self._watch()
        began, before = time.monotonic(), self.seconds
        while (done := self._done(began, seconds)) < 1.0:
            dials = plan.dials.at(done)
            played = play(self.network, tables, plan.steps, dials.keep)
            told = self.learner.learn(played, dials)
            self.updates += 1
            self.decisions += len(played.chosen)
            self.seconds = before + time.monotonic() - began
            if self.updates % plan.judged_every == 0 or self._done(began, seconds) >= 1.0:
                told |= self._strengths()
                self.keep()
            progress = HowFar(self.updates, plan.updates, self.decisions, self.seconds, told)
            with (self.folder / CURVE).open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(progress)) + "\n")
            yield progress

    def _done(self, began: float, seconds: float | None) -> float:
        """Which share of the run is over: of the plan's updates, or of the time if that is shorter; the dials fall with it."""
        spent = (time.monotonic() - began) / seconds if seconds else 0.0
        return max(self.updates / self.plan.updates if self.plan.updates else 1.0, spent)

    def _watch(self) -> None:
        """See others play, and imitate them; the curve tells how strong that makes who knew nothing."""
        before = self._strengths()
        with workers(self.hands or os.cpu_count() or 1) as pool:
            watched = watch(pool, self.plan.game, self.plan.options, self.plan.seats, self.plan.watched)
        told = self.learner.imitate(watched, self.plan.epochs, self.plan.lesson) | self._strengths()
        self.keep()
        with (self.folder / CURVE).open("a", encoding="utf-8") as file:
            for decisions, known in ((0, before), (len(watched.rows), told)):
                file.write(json.dumps({"watched": decisions, "told": known}) + "\n")

    def _strengths(self) -> dict[str, float]:
        return {f"greedy_{seats}": self.strength(seats) for seats in self.plan.seats}

    def strength(self, seats: int) -> float:
        """The share of games that one learner wins among greedy players, on deals kept apart."""
        games = self.plan.judged_games
        if self.device.type == "cuda" and not self.hands:
            return _judged(self.network, self.plan, seats, 0, games)
        # On processors always in the same parts, so that it does not matter who plays them.
        parts = [(first, min(PART, games - first)) for first in range(0, games, PART)]
        judge = functools.partial(_judged, copy.deepcopy(self.network).cpu(), self.plan, seats)
        if self.hands:
            with workers(self.hands) as pool:
                won = list(pool.map(judge, *zip(*parts, strict=True)))
        else:
            won = [judge(*part) for part in parts]
        return sum(share * count for share, (_, count) in zip(won, parts, strict=True)) / games

    def keep(self) -> None:
        """Put where the run stands on disk, whole or not at all."""
        kept = {
            "network": self.network.state_dict(),
            "optimiser": self.learner.optimiser.state_dict(),
            "updates": self.updates,
            "decisions": self.decisions,
            "seconds": self.seconds,
        }
        fresh = self.folder / f"{STANDING}.new"
        torch.save(kept, fresh)
        fresh.replace(self.folder / STANDING)
        path = self.folder / WEIGHTS
        self.reflex().save(path)
        made = {
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "updates": self.updates,
            "decisions": self.decisions,
            "seconds": round(self.seconds, 1),
            "drunemeton": __version__,
            "code": code_mark(),
            "torch": str(torch.__version__),
            "device": torch.cuda.get_device_name(self.device) if self.device.type == "cuda" else platform.processor() or "processor",
        }
        (self.folder / ABOUT).write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")

    def reflex(self) -> Reflex:
        """What was learnt so far, as whole numbers."""
        plan = self.plan
        about = {"seed": plan.seed, "start": plan.start, "updates": self.updates, "decisions": self.decisions, "code": code_mark()}
        return self.network.reflex(plan.seats, about)


@functools.cache
def code_mark() -> str:
    """A short name for the code that the learner plays and learns by: rules, observations, this room."""
    package = Path(__file__).parents[1]
    digest = hashlib.blake2b(digest_size=6)
    for room in ("rules", "observations", "envs", "training"):
        for path in sorted((package / room).rglob("*.py")):
            digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _judged(network: Network, plan: Plan, seats: int, first: int, count: int) -> float:
    """The share that it wins of some of the deals kept apart, where the network is."""
    device = next(network.parameters()).device
    tables = make_tables(plan.game, seats, count, HELD_OUT + first, device, opponents="greedy", options=plan.options)
    return win_share(network, tables)


@torch.no_grad()
def win_share(network: Network, tables: Tables) -> float:
    """What the network's seat wins on average when it takes the best action of every table's first game, without chance."""
    own = tables.look().movers.clone()
    done = torch.zeros_like(own, dtype=torch.bool)
    total = torch.zeros((), device=own.device)
    while not bool(done.all()):
        seen = tables.look()
        best = torch.argmax(likelihoods(network(seen.rows)[0], seen.offered, seen.counts), 1)
        over, won = tables.step(seen.offered.gather(1, best[:, None])[:, 0].long())
        total += (won.gather(1, own[:, None])[:, 0] * (over & ~done)).sum()
        done |= over
    return float(total) / len(own)
