"""No compiled rule reads or writes outside its arrays. Numba checks that only where it is asked to when it is imported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from drunemeton.rules.game import playable
from drunemeton.rules.kernel import has_numba

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not has_numba(), reason="there is no Numba here")


def run_python(script: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Another Python with other settings of Numba, which reads them when it is imported."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_") and name != "DRUNEMETON_PLAIN"}
    paths = {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    command = [sys.executable, str(script), *words]
    return subprocess.run(command, env=kept | paths | environment, capture_output=True, text=True, timeout=900, check=False)


GAMES = """
import sys
import numba
from drunemeton.rules.game import find_game
from tests.rules.test_plain_and_compiled import Table, play

assert numba.config.BOUNDSCHECK == 1
name = sys.argv[1]
decisions = sum(play(name, number, 120, [False]) for number in range(6))
for number in range(60):
    decisions += Table(find_game(name), False, number).play_at_random(20, 300)[0]
print(decisions)
"""


@pytest.mark.proof
@pytest.mark.parametrize("name", playable())
def test_no_index_leaves_its_bounds(name: str, tmp_path: Path) -> None:
    """Compiled games with every index checked. The compile cache is kept apart by Numba's settings."""
    script = tmp_path / "games.py"
    script.write_text(GAMES)
    done = run_python(script, name, NUMBA_BOUNDSCHECK="1")
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 10_000


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
