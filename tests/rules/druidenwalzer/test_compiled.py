"""Plain and compiled rules are the same: states, knowledge and samples agree field by field, everything stays in range, nothing is lost.

Compiling takes a while the first time, so the compiled engine is shared.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from drunemeton.rules.drive import Engine
from drunemeton.rules.druidenwalzer import Druidenwalzer
from drunemeton.rules.druidenwalzer.knowledge import Knowledge
from drunemeton.rules.druidenwalzer.state import HIDDEN, State
from drunemeton.rules.kernel import SPECTATOR, Desk, Record, has_numba
from drunemeton.rules.options import complete

from .games import random_setup
from .positions import check_invariants

ROOT = Path(__file__).parents[3]
WATCHERS = (0, 1, SPECTATOR)
needs_numba = pytest.mark.skipif(not has_numba(), reason="there is no Numba here")


@pytest.fixture(scope="module")
def plain() -> Engine:
    """The rules as they are written."""
    return Engine(Druidenwalzer, plain=True)


@pytest.fixture(scope="module")
def compiled() -> Engine:
    """The rules as native code."""
    return Engine(Druidenwalzer)


def prepared(seed: int) -> tuple[State, Knowledge]:
    """A random set-up before its first shuffle, and what everybody knows of it."""
    options, components = random_setup(random.Random(seed))
    state = State()
    chosen = complete(Druidenwalzer.described, options)
    Druidenwalzer.prepare(state, 2, chosen, Druidenwalzer.check_components(components, chosen))
    knowledge = Knowledge()
    knowledge.assign(state)
    Druidenwalzer.prepare_knowledge(knowledge)
    return state, knowledge


def differences(one: Record, other: Record) -> list[str]:
    """The fields in which two records differ."""
    return [name for name in one.fields if getattr(one, name) != getattr(other, name)]


def wrong_beliefs(known: Knowledge, truth: State, watcher: int) -> list[str]:
    """The fields in which a knowledge contradicts the truth: hidden cards may be unknown, everything else must be right."""
    wrong = []
    for name in State.fields:
        believed, true = getattr(known, name), getattr(truth, name)
        if name in {"stack", "hand"}:
            rows = zip(believed, true, strict=True)
            right = all(b == t or b >= HIDDEN for row, others in rows for b, t in zip(row, others, strict=True))
        elif name == "pile":
            right = True
        elif name == "options":
            right = believed == true or truth.turn != watcher
        else:
            right = believed == true
        if not right:
            wrong.append(name)
    return wrong


class Seat:
    """One engine at work on one game: state, desk, and what each watcher knows."""

    def __init__(self, engine: Engine, seed: int) -> None:
        state, knowledge = prepared(seed)
        self.engine = engine
        self.states = engine.box(state)
        self.desks = engine.desk(seed)
        self.knows = {watcher: engine.box(knowledge) for watcher in WATCHERS}
        self.sampled = engine.box(State())
        self.dreams = engine.desk(seed + 1)
        self.set_desk("listening", 1)

    def set_desk(self, name: str, value: int) -> None:
        if self.engine.compiled:
            self.desks[0][name] = value
        else:
            setattr(self.desks[0], name, value)

    def step(self, action: int | None) -> None:
        """Carry out an action (the start without one), and let everybody learn of it."""
        self.set_desk("told", 0)
        if action is None:
            self.engine.start(self.states, self.desks)
        else:
            self.engine.apply(self.states, self.desks, action)
        for watcher, knows in self.knows.items():
            self.engine.learn(knows, self.desks, watcher)

    @property
    def state(self) -> State:
        found = self.engine.read(State, self.states)
        assert isinstance(found, State)
        return found

    @property
    def actions(self) -> list[int]:
        count = int(self.engine.legal(self.states, self.desks))
        moves = self.desks[0]["moves"] if self.engine.compiled else self.desks[0].moves
        return [int(action) for action in moves[:count]]

    def known(self, watcher: int) -> Knowledge:
        found = self.engine.read(Knowledge, self.knows[watcher])
        assert isinstance(found, Knowledge)
        return found

    def dream(self, watcher: int) -> State:
        """A state that this watcher thinks possible."""
        self.engine.sample(self.knows[watcher], self.dreams, self.sampled, 1)
        found = self.engine.read(State, self.sampled)
        assert isinstance(found, State)
        return found


def side_by_side(seed: int, engines: list[Engine], limit: int = 250) -> int:
    """Play one random game on all engines; answers how many decisions were taken."""
    rng = random.Random(seed)
    seats = [Seat(engine, seed) for engine in engines]
    action: int | None = None
    cards = None
    for taken in range(limit):
        for seat in seats:
            seat.step(action)
        first = seats[0].state
        cards = check_invariants(first, cards)
        where = f"seed {seed}, after {taken} decisions, the last one {action}"
        for seat in seats[1:]:
            assert differences(first, seat.state) == [], where
            assert seat.actions == seats[0].actions, where
        for watcher in WATCHERS:
            known = seats[0].known(watcher)
            assert known.out_of_range() == [], where
            assert wrong_beliefs(known, first, watcher) == [], where
            for seat in seats[1:]:
                assert differences(known, seat.known(watcher)) == [], where
        if first.phase >= 2:
            watcher = rng.choice(WATCHERS)
            dream = seats[0].dream(watcher)
            check_invariants(dream, cards)
            for seat in seats[1:]:
                assert differences(dream, seat.dream(watcher)) == [], where
        # In the compiled world the seat on turn is asked as well: exactly one of legal moves and end.
        for seat in seats:
            assert (int(seat.engine.to_move(seat.states)) < 0) == (not seat.actions), where
        if not seats[0].actions:
            return taken
        action = rng.choice(seats[0].actions)
    return limit


def test_invariants_of_plain_games(plain: Engine) -> None:
    """Cards are neither made nor lost, tokens and druids stay within bounds, every field in range, over many options."""
    assert sum(side_by_side(seed, [plain]) for seed in range(20)) > 500


@needs_numba
def test_whole_random_games_agree(plain: Engine, compiled: Engine) -> None:
    """The driver that plays whole games takes the same decisions in both worlds, and leaves the same state and generator."""
    for seed in range(12):
        state, _ = prepared(seed)
        ends = []
        for engine in (plain, compiled):
            states, desks = engine.box(state), engine.desk(seed)
            decisions = int(engine.random_games(engine.box(state), states, desks, 5, 300))
            ends.append((decisions, engine.read(State, states), engine.read(Desk, desks).rng))
        assert ends[0][0] == ends[1][0] > 0
        assert differences(ends[0][1], ends[1][1]) == []
        assert ends[0][2] == ends[1][2]


# --- Bounds --------------------------------------------------------------------------------------------------------


def run_python(script: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Another Python with other settings of Numba, which reads them when it is imported."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_") and name != "DRUNEMETON_PLAIN"}
    paths = {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    command = [sys.executable, str(script)]
    return subprocess.run(command, env=kept | paths | environment, capture_output=True, text=True, timeout=300, check=False)


GAMES = """
import numba
from drunemeton.rules.drive import Engine
from drunemeton.rules.druidenwalzer import Druidenwalzer
from tests.rules.druidenwalzer.test_compiled import Seat, prepared, side_by_side

assert numba.config.BOUNDSCHECK == 1
engine = Engine(Druidenwalzer)
assert engine.compiled
decisions = sum(side_by_side(seed, [engine], limit=120) for seed in range(6))
for seed in range(60):
    state, _ = prepared(seed)
    decisions += int(engine.random_games(engine.box(state), engine.box(state), engine.desk(seed), 20, 300))
print(decisions)
"""


@pytest.mark.proof
@needs_numba
def test_no_index_leaves_its_bounds(tmp_path: Path) -> None:
    """Compiled games with every index checked. The compile cache is kept apart by Numba's settings."""
    script = tmp_path / "games.py"
    script.write_text(GAMES)
    done = run_python(script, NUMBA_BOUNDSCHECK="1")
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20_000


FAULT = """
import sys
from drunemeton.rules.kernel import Record, Row, i8, native, rule

class Shelf(Record):
    books: Row = i8(4)
    lamp: int = i8()

@rule
def put(shelves, place):
    shelves[0].books[place] = 7

shelves = Shelf.box()
native(put)(shelves, 4)
print("lamp", shelves[0]["lamp"])
"""


@needs_numba
@pytest.mark.parametrize("checked", [True, False])
def test_a_planted_fault_is_noticed(checked: bool, tmp_path: Path) -> None:
    """A rule that writes one place too far: silently into the next field as it is, an IndexError when bounds are checked."""
    script = tmp_path / "fault.py"
    script.write_text(FAULT)
    done = run_python(script, DRUNEMETON_CACHE=str(tmp_path / "cache"), **({"NUMBA_BOUNDSCHECK": "1"} if checked else {}))
    if checked:
        assert done.returncode != 0
        assert "IndexError" in done.stderr
    else:
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() == ["lamp", "7"]
