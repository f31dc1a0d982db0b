"""A bench beside an earlier commit: a row fails only if its whole interval lies beyond 5 % slower."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import beside
from benchmarks.beside import compared, in_turns, interval
from benchmarks.rows import Measured, row


def runs(ratios: list[float], *, time: bool = False) -> list[tuple[dict[str, Measured], dict[str, Measured]]]:
    def one(figure: float) -> dict[str, Measured]:
        return {"x": row("x", figure, below=1e9) if time else row("x", figure)}

    return [(one(100 * ratio), one(100)) for ratio in ratios]


def test_an_interval_is_students() -> None:
    assert interval([1.0] * 7) == (1, 1, 1)
    mean, low, high = interval([0.9, 1.0, 1.0 / 0.9])
    assert mean == pytest.approx(1)
    assert low == pytest.approx(1 / high)
    assert high == pytest.approx(1.2992, abs=0.001)  # exp(4.303 * 0.10536 / sqrt(3))


@pytest.mark.parametrize(
    ("ratios", "holds"),
    [([0.9] * 7, False), ([0.96] * 7, True), ([1.2] * 7, True), ([0.8, 1.0, 0.9, 0.95, 0.85, 1.05, 0.9], True)],
    ids=["slower", "a little slower", "faster", "nobody knows"],
)
def test_only_what_is_surely_slower_fails(ratios: list[float], holds: bool) -> None:
    assert [found[-1] for found in compared(runs(ratios))] == [holds]
    assert [found[-1] for found in compared(runs([1 / ratio for ratio in ratios], time=True))] == [holds], "times the other way round"


def test_rows_that_one_side_has_alone_are_not_compared() -> None:
    assert compared([({"new": row("new", 1.0)}, {"old": row("old", 1.0)})] * 7) == []


def test_runs_that_were_kept_are_not_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[Path] = []

    def bench(tree: Path, _room: str) -> dict[str, Measured]:
        ran.append(tree)
        return {"x": row("x", float(len(ran)))}

    monkeypatch.setattr(beside, "bench", bench)
    that, kept = tmp_path / "that", tmp_path / "kept"
    first = in_turns("rules", that, 3, kept)
    assert len(ran) == 2 + 6, "each side compiles first"
    assert in_turns("rules", that, 3, kept) == first
    assert len(ran) == 8
    assert in_turns("rules", that, 4, kept)[:3] == first
    assert len(ran) == 12
    assert len(in_turns("envs", that, 1, kept)) == 1
