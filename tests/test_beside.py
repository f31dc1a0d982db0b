"""A bench beside an earlier commit compares every figure, whether it is a number or begins words."""

from __future__ import annotations

import pytest

from benchmarks.beside import by_name, compared, faster, number
from benchmarks.rows import row, said


def test_words_begin_with_their_figure() -> None:
    assert number("32.5 ms (idle 7.1)") == 32.5
    assert number(4) == 4.0
    assert number("reported") is None


def test_a_rate_in_words_is_faster_when_it_is_more_and_a_time_when_it_is_less() -> None:
    assert faster(said("moves/s", "1200"), said("moves/s", "1000")) == pytest.approx(1.2)
    assert faster(said("processor time", "50 us"), said("processor time", "100 us")) == pytest.approx(2.0)
    assert faster(row("start", 2.0, below=3.0), row("start", 1.0, below=3.0)) == pytest.approx(0.5)


def test_rows_in_words_are_compared_and_a_slower_one_fails() -> None:
    runs = [({"moves/s": said("moves/s", f"{900 + n}")}, {"moves/s": said("moves/s", f"{1200 + n}")}) for n in range(7)]
    [(what, ratio, _, _, holds)] = compared(runs)
    assert what == "moves/s"
    assert ratio == pytest.approx(0.75, abs=0.01)
    assert not holds


def test_rows_are_the_same_with_however_many_games_side_by_side() -> None:
    now, before = row("steps/s, 512 games (peer: hex, 1024 games)", 3.0), row("steps/s, 64 games (peer: hex, 256 games)", 2.0)
    [(what, ratio, *_)] = compared([(by_name([now]), by_name([before]))] * 2)
    assert what == "steps/s (peer: hex)"
    assert ratio == pytest.approx(1.5)
