"""Games between searches, and what was counted in them: what a judgement is learnt from.

Whoever sits down is drawn by lot: how many simulations, what judges for him, how often he errs; some games begin at random. So the
positions are not only those that good players get into, and what a poor one is worth shows too. A *sheet* is a file with the positions of
some seconds of play for one number of players.
"""

from __future__ import annotations

import functools
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..bots.arena import shares
from ..bots.judgement import columns_of, survey
from ..bots.ladder import arena_of
from ..bots.levels import Strength
from ..bots.search import Searcher, prepare_search
from ..rules.errors import GameError
from ..rules.game import Game, find_game
from ..rules.kernel import rule

FIRST_DEAL = 10_000_000  # ladders, matches and judging play lower ones
DEALS = 1000  # that belong to one sheet
SIMULATIONS = (60, 100, 150, 300)
ERRS = (0, 0, 0, 20, 60)  # of 1000 decisions
OPENINGS = (0, 0, 0, 12, 40)  # decisions at random before anybody thinks
KEPT = 0.12  # of all decisions
EXPLORE, TRUST = 0.1, 1.0  # as level 8


@rule
def survey_in(states: Any, rows: Any) -> None:
    """Count the columns of the first state of a box."""
    survey(states[0], rows)


@functools.lru_cache(64)
def searcher_of(game: str, strength: Strength) -> Searcher:
    """This process's search of that strength."""
    return Searcher(find_game(game), strength)


@dataclass
class Notes:
    """What was counted in one game, decision by decision."""

    columns: list[Any] = field(default_factory=list)
    searched: list[Any] = field(default_factory=list)
    when: list[int] = field(default_factory=list)
    decisions: int = 0


@dataclass
class Taught:
    """A player who notes down positions, errs now and then, and else searches."""

    searcher: Searcher
    errs: int
    seats: int
    look: Any  # answers the columns of the position on the table
    notes: Notes
    rng: random.Random
    opening: list[int]  # decisions that are still taken at random, shared by the table

    def choose_in(self, knows: Any, *, seed: int) -> int:
        """An action, and perhaps a note."""
        engine = self.searcher.engine
        self.notes.decisions += 1
        desk = engine.desk(seed)
        count = engine.legal(knows, desk)
        if self.opening[0] > 0 or self.rng.random() * 1000 < self.errs:
            self.opening[0] -= 1
            return int(desk["moves"][0][self.rng.randrange(count)])
        noted = count > 1 and self.rng.random() < KEPT
        if noted:
            self.notes.columns.append(self.look())
            self.notes.when.append(self.notes.decisions)
        considered = self.searcher.consider_in(knows, seed=seed)
        if noted:
            gains = self.searcher.trees[0].gains[: self.seats]
            known = self.searcher.judgement is not None and gains.sum() > 0
            self.notes.searched.append(gains / gains.sum() if known else np.full(self.seats, np.nan))
        return considered[0].action

    @property
    def handicap(self) -> list[float]:
        """What is noted of the player beside the position: a result tells of both."""
        simulations = self.searcher.strength.simulations
        return [float(np.log2(simulations / 100)), float(self.searcher.judgement is None), self.errs / 100]


def draw_strength(rng: random.Random, judgements: Sequence[str]) -> Strength:
    """How somebody at a table thinks: mostly by the newest judgement, now and then by an older one or by the outlook."""
    lot = rng.random()
    judgement = ""
    if judgements and lot < 0.75:
        judgement = judgements[-1] if lot < 0.6 else rng.choice(list(judgements))
    return Strength(rng.choice(SIMULATIONS), explore=EXPLORE, trust=TRUST, judgement=judgement)


def columns_file(game: type[Game]) -> Any:
    """The file that says what can be counted."""
    own = columns_of(game)
    if own is None:
        raise GameError(f"nothing is counted of {game.title}: a judgement needs bots/{game.name}_columns.py")
    return own


def play_sheet(name: str, seats: int, number: int, judgements: Sequence[str], folder: str, seconds: float) -> tuple[int, int]:
    """Play for so many seconds and write a sheet; answers how many games and positions are on it."""
    game = find_game(name)
    own = columns_file(game)
    prepare_search(game)
    arena = arena_of(name, seats)
    count_in = arena.engine.twin(survey_in)
    rows = np.zeros((8, own.WIDTH), np.int64)

    def look() -> Any:
        count_in(arena.table.states, rows)
        return rows[:seats, : own.COLUMNS].astype(np.int16)

    rng = random.Random(number)
    until = time.monotonic() + seconds
    sheet: dict[str, list[Any]] = {"columns": [], "searched": [], "handicap": [], "won": [], "game": [], "over": []}
    games = 0
    while games < DEALS and (games == 0 or time.monotonic() < until):
        deal = FIRST_DEAL + number * DEALS + games
        games += 1
        notes, opening = Notes(), [rng.choice(OPENINGS)]
        players = []
        for _ in range(seats):
            searcher = searcher_of(name, draw_strength(rng, judgements))
            players.append(Taught(searcher, rng.choice(ERRS), seats, look, notes, rng, opening))
        end, places = arena.play(players, deal)
        if end == "unfinished":
            continue
        kept = len(notes.columns)
        sheet["columns"] += notes.columns
        sheet["searched"] += notes.searched
        sheet["handicap"] += [[player.handicap for player in players]] * kept
        sheet["won"] += [shares(places)] * kept
        sheet["game"] += [deal] * kept
        sheet["over"] += [when / notes.decisions for when in notes.when]
    path = Path(folder) / f"{seats}-{number:06}.npz"
    fresh = path.with_suffix(".new.npz")
    kinds: dict[str, Any] = {"columns": np.int16, "game": np.int64}
    arrays: dict[str, Any] = {key: np.array(found, kinds.get(key, np.float32)) for key, found in sheet.items()}
    np.savez_compressed(fresh, **arrays)
    fresh.replace(path)
    return games, len(sheet["game"])


def read_sheets(folder: Path, seats: int, since: int = 0) -> dict[str, Any]:
    """All positions for so many players, from the sheets numbered `since` and up."""
    paths = [path for path in sorted(folder.glob(f"{seats}-??????.npz")) if number_of(path) >= since]
    sheets = [dict(np.load(path)) for path in paths]
    sheets = [sheet for sheet in sheets if len(sheet["game"])]
    if not sheets:
        return {}
    return {key: np.concatenate([sheet[key] for sheet in sheets]) for key in sheets[0]}


def number_of(path: Path) -> int:
    """Which sheet a file is."""
    return int(path.stem.split("-")[1])
