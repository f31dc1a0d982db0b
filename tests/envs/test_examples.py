"""The examples run, and do what they promise."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pettingzoo(capsys: pytest.CaptureFixture[str]) -> None:
    rewards = example("envs_pettingzoo").main()
    assert len(rewards) == 4
    assert sum(rewards.values()) == pytest.approx(0)
    assert "Ulster" in capsys.readouterr().out


def test_the_learner_beats_random(capsys: pytest.CaptureFixture[str]) -> None:
    share, games = example("envs_learner").main(200)
    assert games > 1000
    assert share > 0.58  # three standard errors of a fair coin are 4.5 %


def test_exploitability(capsys: pytest.CaptureFixture[str]) -> None:
    uniform, better = example("envs_exploitability").main(2)
    assert 0 < better < uniform < 2
