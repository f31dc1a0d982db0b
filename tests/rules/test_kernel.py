"""The kernel: records and their twins, the generator, shuffles, bit sets, the compile cache, and what happens without Numba."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drunemeton.rules import kernel
from drunemeton.rules.kernel import Desk, Grid, Record, Row, deal_out, i8, i16, i64, native, rule, shuffle


class Pond(Record):
    frogs: int = i8()
    deep: Grid = i16(2, 3)
    reeds: Row = i64(2)


class Lake(Pond):
    boats: int = i8()


def test_a_record_has_the_same_fields_in_both_layouts() -> None:
    pond = Pond()
    pond.frogs, pond.deep[1][2], pond.reeds[0] = 3, -7, 1 << 62
    box = pond.to_box()
    assert box["frogs"][0] == 3
    assert box["deep"][0, 1, 2] == -7
    assert Pond.from_box(box) == pond
    assert kernel.copy_box(box)["reeds"][0, 0] == 1 << 62


def test_copies_are_independent() -> None:
    pond = Pond()
    twin = pond.copy()
    twin.deep[0][0] = 5
    twin.frogs = 1
    assert pond.deep[0][0] == 0
    assert pond.frogs == 0
    lake = Lake()
    lake.assign(twin)
    lake.deep[0][0] = 9
    assert twin.deep[0][0] == 5
    assert lake.frogs == 1


def test_what_would_not_fit_is_named() -> None:
    pond = Pond()
    pond.frogs, pond.deep[0][1] = 128, 40_000
    assert set(pond.out_of_range()) == {"frogs", "deep"}
    pond.frogs, pond.deep[0][1] = -128, -32_768
    assert pond.out_of_range() == []


@rule
def draw_many(d: Desk, n: int, sides: int, out: Any) -> None:
    for i in range(n):
        out[i] = kernel_below(d, sides)


kernel_below = kernel.below


def desk(number: int) -> Desk:
    made = Desk()
    kernel.seed(made, number, 2, 3)
    return made


@pytest.mark.parametrize("sides", [1, 2, 6, 59, 2**31 - 1])
def test_the_generator_is_the_same_in_both_worlds(sides: int) -> None:
    plain: list[int] = [0] * 500
    draw_many(desk(7), 500, sides, plain)
    compiled = np.zeros(500, np.int64)
    box = desk(7).to_box()
    native(_draw_boxed)(box, 500, sides, compiled)
    assert plain == compiled.tolist()
    assert all(0 <= value < sides for value in plain)


@rule
def _draw_boxed(desks: Any, n: int, sides: int, out: Any) -> None:
    draw_many(desks[0], n, sides, out)


def test_the_generator_is_even() -> None:
    out = [0] * 60_000
    draw_many(desk(1), len(out), 6, out)
    counts = Counter(out)
    square = sum((counts[side] - 10_000) ** 2 / 10_000 for side in range(6))
    assert square < 20.5  # chi-square, 5 degrees, p = 0.001


def test_a_shuffle_reaches_every_order_alike() -> None:
    orders: Counter[tuple[int, ...]] = Counter()
    made = desk(11)
    for _ in range(24_000):
        pile = [1, 2, 3, 4]
        shuffle(made, 0, pile, 4)
        orders[tuple(pile)] += 1
    assert set(orders) == set(permutations([1, 2, 3, 4]))
    assert sum((n - 1000) ** 2 / 1000 for n in orders.values()) < 49.7  # 23 degrees, p = 0.001


@rule
def _shuffle_boxed(desks: Any, name: int, pile: Any, n: int) -> None:
    shuffle(desks[0], name, pile, n)


@rule
def _deal_boxed(desks: Any, number: int) -> None:
    deal_out(desks[0], number)


@pytest.mark.parametrize("number", [0, 7, 2**63 - 1, -(2**63), -1])
def test_a_deals_shuffles_are_the_same_in_both_worlds(number: int) -> None:
    plain, boxed = Desk(), Desk.box()
    deal_out(plain, number)
    native(_deal_boxed)(boxed, number)
    for name in (0, 3, 0, 7):
        one, other = list(range(40)), np.arange(40, dtype=np.int16)
        shuffle(plain, name, one, 40)
        native(_shuffle_boxed)(boxed, name, other, 40)
        assert one == other.tolist() != sorted(one)


def shuffled(d: Desk, name: int) -> list[int]:
    pile = list(range(30))
    shuffle(d, name, pile, 30)
    return pile


def test_a_deals_shuffle_hangs_on_pile_and_count_alone() -> None:
    one, other = desk(1), desk(2)
    deal_out(one, 7)
    deal_out(other, 7)
    orders = [shuffled(one, 0), shuffled(one, 0), shuffled(one, 1), shuffled(one, 0)]
    assert len(set(map(tuple, orders))) == 4
    again = [shuffled(other, 1), shuffled(other, 0)]
    for _ in range(5):
        kernel.below(other, 6)
    again += [shuffled(other, 0), shuffled(other, 0)]
    assert again == [orders[2], orders[0], orders[1], orders[3]]
    deal_out(one, 8)
    assert shuffled(one, 0) != orders[0]


def test_shuffling_leaves_the_choices_as_they_are() -> None:
    one, other = desk(1), desk(1)
    deal_out(one, 7)
    shuffled(one, 0)
    assert one.rng == other.rng


def test_games_take_turns_at_a_desk() -> None:
    d, alone = Desk(), Desk()
    games = [kernel.Dealt(), kernel.Dealt()]
    games[0].deal, games[1].deal = 5, 6
    deal_out(alone, 5)
    for _ in range(3):
        for game in games:
            kernel.take_up(d, game)
            pile = shuffled(d, 2)
            kernel.lay_down(d, game)
            if game.deal == 5:
                assert pile == shuffled(alone, 2)


def test_an_order_handed_in_is_followed_or_is_a_fault() -> None:
    made = Desk()
    made.tape[:3] = [5, 7, 5]
    made.tape_end = 3
    pile = [7, 5, 5, 9]
    shuffle(made, 0, pile, 3)
    assert pile == [5, 7, 5, 9]
    assert (made.tape_at, made.fault) == (3, 0)
    made.tape_at, made.tape[:3] = 0, [5, 7, 7]
    shuffle(made, 0, pile, 3)
    assert made.fault == kernel.FAULT_ORDER


def test_a_shuffle_is_told_to_all_and_its_order_to_nobody() -> None:
    made = desk(3)
    made.listening = 1
    shuffle(made, 4, [1, 2, 3], 3)
    rows = made.events[: made.told]
    assert [row[kernel.EV_KIND] for row in rows] == [kernel.EV_SHUFFLED, *[kernel.EV_ORDER] * 3]
    assert all(row[kernel.EV_WHO] == kernel.NOBODY for row in rows[1:])


def test_too_long_a_story_is_a_fault_not_an_overflow() -> None:
    made = Desk()
    made.listening = 1
    for _ in range(kernel.EVENTS + 1):
        kernel.tell(made, 9, 0, 0, 0, 0)
    assert made.fault == kernel.FAULT_STORY
    assert made.told == kernel.EVENTS


@rule
def _bits(word: int, n: int, out: Any) -> None:
    out[0] = kernel_count(word)
    out[1] = kernel_lowest(word)
    out[2] = kernel_nth(word, n)


kernel_count, kernel_lowest, kernel_nth = kernel.count_bits, kernel.lowest_bit, kernel.nth_bit


@given(st.integers(1, 2**63 - 1), st.integers(0, 62))
@settings(max_examples=200, deadline=None)
def test_words_agree_with_integers(word: int, n: int) -> None:
    bits = [i for i in range(63) if word >> i & 1]
    n %= len(bits)
    plain, compiled = [0, 0, 0], np.zeros(3, np.int64)
    _bits(word, n, plain)
    native(_bits)(word, n, compiled)
    assert plain == [len(bits), bits[0], bits[n]]
    assert compiled.tolist() == plain


@given(st.sets(st.integers(0, 188)), st.integers(0, 188))
def test_larger_sets_agree_with_python_sets(members: set[int], other: int) -> None:
    row = [0, 0, 0]
    for member in members:
        kernel.bit_add(row, member)
    assert {i for i in range(189) if kernel.bit_has(row, i)} == members
    kernel.bit_add(row, other)
    kernel.bit_drop(row, other)
    assert {i for i in range(189) if kernel.bit_has(row, i)} == members - {other}
    assert all(word >= 0 for word in row)


def run_python(code: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **env}, check=False, timeout=120)


def test_without_numba_everything_runs_plainly() -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from drunemeton.rules.drive import Engine\n"
        "from drunemeton.rules.druidenwalzer import Druidenwalzer as G\n"
        "from drunemeton.bots import make_bot\n"
        "engine = Engine(G); game = G.new(seed=1); assert not engine.compiled\n"
        "game.play(make_bot(G, 'greedy').choose(game.knowledge[game.to_move], seed=1)); print(len(game.steps))"
    )
    done = run_python(code, DRUNEMETON_PLAIN="1")
    assert done.stdout.strip() == "2", done.stderr


def test_a_cache_that_cannot_be_written_falls_back_to_a_temporary_one(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    code = "from drunemeton.rules.cache import _writable_home; print(_writable_home())"
    done = run_python(code, DRUNEMETON_CACHE=str(blocked), XDG_CACHE_HOME=str(blocked))
    assert "drunemeton-" in done.stdout, done.stderr


def test_flags_and_sources_name_the_cache() -> None:
    code = "from pathlib import Path; from drunemeton.rules import cache; print(cache.cache_folder(Path(cache.__file__)).name)"
    assert run_python(code).stdout == run_python(code).stdout != ""
    assert run_python(code).stdout != run_python(code, NUMBA_BOUNDSCHECK="1").stdout


def test_the_command_line_imports_neither_numba_nor_numpy() -> None:
    code = (
        "import sys; from drunemeton.cli import _parser; _parser(); print([m for m in ('numba', 'numpy', 'fastapi') if m in sys.modules])"
    )
    assert run_python(code).stdout.strip() == "[]"


def test_virtual_environments_share_what_is_compiled(tmp_path: Path) -> None:
    """The same package at two places: the second finds everything that the first has compiled."""
    package = Path(kernel.__file__).parents[1]
    code = (
        "import numpy as np\n"
        "from drunemeton.rules import kernel\n"
        "desks = kernel.Desk.box(1)\n"
        "mix = kernel.native(kernel.mix)\n"
        "mix(desks[0], np.arange(5, dtype=np.int16), 5)\n"
        "print(sum(mix.stats.cache_hits.values()), sum(mix.stats.cache_misses.values()), kernel.__file__)\n"
    )
    said = []
    for place in ("one", "other"):
        for room in ("rules", "bots"):
            shutil.copytree(package / room, tmp_path / place / "drunemeton" / room, ignore=shutil.ignore_patterns("__pycache__"))
        (tmp_path / place / "drunemeton" / "__init__.py").touch()
        said.append(run_python(code, PYTHONPATH=str(tmp_path / place), DRUNEMETON_CACHE=str(tmp_path / "cache")).stdout.split())
    assert [line[:2] for line in said] == [["0", "1"], ["1", "0"]]
    assert said[0][2] != said[1][2]


def test_two_processes_compile_nothing_twice(tmp_path: Path) -> None:
    """The other one waits, and finds it."""
    code = (
        "import numpy as np, sys\n"
        "from drunemeton.rules import kernel\n"
        "mix, desks = kernel.native(kernel.mix), kernel.Desk.box(1)\n"
        "print('ready', flush=True)\n"
        "sys.stdin.readline()\n"
        "mix(desks[0], np.arange(5, dtype=np.int16), 5)\n"
        "print(sum(mix.stats.cache_hits.values()), sum(mix.stats.cache_misses.values()))\n"
    )
    environment = {**os.environ, "DRUNEMETON_CACHE": str(tmp_path)}
    both = [
        subprocess.Popen([sys.executable, "-c", code], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for one in both:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in both:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    assert sorted(one.communicate()[0].split() for one in both) == [["0", "1"], ["1", "0"]]


def test_what_only_rules_call_has_no_machine_code_and_serves_other_processes(tmp_path: Path) -> None:
    """A second process finds `below` translated, and makes it part of something that the first never compiled."""
    code = (
        "import sys\n"
        "import numpy as np\n"
        "from drunemeton.rules import kernel\n"
        "desks, pile = kernel.Desk.box(1), np.arange(40, dtype=np.int16)\n"
        "kernel.native(kernel.seed)(desks[0], 1, 2, 3)\n"
        "fn = kernel.native(getattr(kernel, sys.argv[1]))\n"
        "print(fn(desks[0], *((pile, 40) if sys.argv[1] == 'mix' else (0, pile, 40))), pile.tolist())\n"
        "inner = kernel._twins(frozenset(), kernel.CPU).made[kernel.below, True]\n"
        "kept = inner.overloads[inner.signatures[0]].library\n"
        "shared, ours = kept._get_module_for_linking().functions, kept._final_module.functions\n"
        "print(sum(inner.stats.cache_hits.values()), any('below' in one.name for one in shared), len(list(ours)))"
    )
    said = []
    for name in ("mix", "shuffle"):
        command = [sys.executable, "-c", code, name]
        done = subprocess.run(command, env={**os.environ, "DRUNEMETON_CACHE": str(tmp_path)}, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        said.append(done.stdout.split("\n")[:2])
    plain, pile = kernel.Desk(), list(range(40))
    kernel.seed(plain, 1, 2, 3)
    kernel.mix(plain, pile, 40)
    assert [shuffled for shuffled, _ in said] == [f"None {pile}"] * 2
    assert said[0][1] == "0 True 0"
    assert said[1][1] == "1 True 0"
