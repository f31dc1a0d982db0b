"""The examples run and do what they promise, and the documentation prints what they print; every block of code in it runs by itself."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
DOCS = Path(__file__).parents[2] / "docs" / "envs"


def blocks(language: str) -> list[tuple[str, str]]:
    """All blocks of a language in the documentation of the environments: page, text."""
    fenced = re.compile(rf"^```{language}\n(.*?)^```", re.M | re.S)
    return [(page.name, text) for page in sorted(DOCS.glob("*.md")) for text in fenced.findall(page.read_text(encoding="utf-8"))]


def documented(name: str) -> str:
    """What the documentation says that an example prints."""
    outputs = [text.partition("\n")[2] for _, text in blocks("console") if text.startswith(f"$ python examples/{name}.py\n")]
    assert len(outputs) == 1
    return outputs[0]


@pytest.mark.parametrize(("page", "code"), blocks("python"))
def test_a_block_of_the_documentation_runs_by_itself(page: str, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, page, "exec"), {"__name__": "block"})


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
    learner = example("envs_learner")
    share, games = learner.main(200)
    assert games > 1000
    assert share > 0.58  # three standard errors of a fair coin are 4.5 %
    # The documentation has the figures of the example as it stands; how well it does then depends on the machine.
    (steps,) = learner.main.__defaults__
    figures = r"[\d.]+%|\d+ games\)"
    printed = capsys.readouterr().out.replace("after 200 steps", f"after {steps} steps")
    assert re.sub(figures, "", printed) == re.sub(figures, "", documented("envs_learner"))


def test_exploitability(capsys: pytest.CaptureFixture[str]) -> None:
    uniform, better = example("envs_exploitability").main()
    assert 0 < better < uniform < 2
    assert capsys.readouterr().out == documented("envs_exploitability")
