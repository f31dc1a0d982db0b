"""Without a GPU: kernels, twins and native forms in Numba's CUDA simulator, on a few games."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from drunemeton.cli import main
from drunemeton.envs.device import DeviceEnv
from drunemeton.rules import cuda
from drunemeton.rules.game import playable

ROOT = Path(__file__).parents[2]


def in_simulator(*words: str) -> None:
    settings = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.gpu.simulated", *words], cwd=ROOT, env=settings, capture_output=True, text=True, check=False
    )
    assert done.stdout.endswith("the same\n"), done.stdout + done.stderr


# The simulator is slow: the largest game takes most of a minute.
@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.proof) if name == "daemonen" else name for name in playable()])
def test_whole_games_are_the_processors(name: str) -> None:
    in_simulator("games", name)


@pytest.mark.proof
@pytest.mark.parametrize("name", playable())
def test_simulate_counts_the_same(name: str) -> None:
    in_simulator("bots", name)


def test_the_laboratory_looks_at_the_same_games() -> None:
    in_simulator("laboratory", "druidenwalzer")


@pytest.mark.proof
@pytest.mark.parametrize("name", playable())
def test_environments_show_the_same(name: str) -> None:
    in_simulator("environments", name)


def test_native_forms_mean_the_same() -> None:
    in_simulator("forms", "")


def test_what_is_missing_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert cuda.missing() == "to play on a GPU, numba-cuda is missing: pip install 'drunemeton[gpu]'"


def test_a_machine_without_a_gpu_is_told_so_everywhere(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Where numba-cuda is installed, and nothing that it could run on."""
    monkeypatch.setattr(cuda, "_module", lambda: SimpleNamespace(is_available=lambda: False))
    cuda.toolkit.cache_clear()
    asked = ["simulate", playable()[0], "--seats", "random,random", "--games", "2", "--on", "gpu"]
    for words in (asked, ["bench", "gpu"]):
        assert main(words) == 2
        assert capsys.readouterr().err == f"drunemeton: {cuda.missing()}\n"
    with pytest.raises(cuda.NoDevice, match="a GPU is missing"):
        DeviceEnv(playable()[0], 4)


def test_a_rule_that_cannot_be_compiled_is_named_with_its_line() -> None:
    from numba.core.errors import TypingError

    def waltz() -> None: ...

    said = rf"waltz cannot be compiled for the GPU, .*test_simulated.py, line {waltz.__code__.co_firstlineno}: no such thing$"
    with pytest.raises(cuda.CannotCompile, match=said), cuda._naming(waltz):  # type: ignore[arg-type]
        raise TypingError("no\n  such thing")


@pytest.mark.parametrize("module", ["cli", "bots.match", "envs.many", "rules.game"])
def test_nothing_else_imports_numba_cuda(module: str) -> None:
    code = f"import sys, drunemeton.{module}; print([name for name in sys.modules if name.startswith(('numba_cuda', 'numba.cuda'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
