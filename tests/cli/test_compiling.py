"""Whoever waits for the compiler is told so, once, and which rule it is at if somebody watches."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from drunemeton.bots import compiling
from drunemeton.bots.compiling import Compiling
from drunemeton.rules.kernel import compile_watchers


def compile_some(*names: str) -> None:
    for name in names:
        for tell in compile_watchers:
            tell(name)


def test_what_lies_ready_is_not_spoken_of(capsys: Any) -> None:
    with Compiling("please wait"):
        compile_some("rules.play.waltz", "rules.play.dance")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("watched", [True, False])
def test_who_waits_is_told_once(watched: bool, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "PATIENCE", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: watched)
    with Compiling("please wait"):
        compile_some("rules.play.waltz", "rules.play.dance")
    said = capsys.readouterr().err
    assert said.count("please wait\n") == 1
    assert ("2: rules.play.dance" in said) == watched
    assert not compile_watchers


def test_the_compiler_names_its_rules() -> None:
    import numpy as np

    from drunemeton.rules import kernel

    names: list[str] = []
    compile_watchers.append(names.append)
    try:
        kernel.native(kernel.bit_has)(np.zeros(2, np.int64), np.int64(5))  # type: ignore[arg-type]
    finally:
        compile_watchers.remove(names.append)
    assert "rules.kernel.bit_has" in names


_INTERRUPTED = """
import ctypes, signal
from drunemeton.rules.cache import stopping_between_rules

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs are begun with Ctrl+C ignored
press = ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))  # as LLVM calls back
for deeper in (True, False):
    try:
        with stopping_between_rules():
            press()
            if deeper:
                with stopping_between_rules():
                    print("a second rule was begun")
            print("the rule was finished")
    except KeyboardInterrupt:
        print("stopped")
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""


def test_ctrl_c_waits_for_a_rule_and_is_not_lost() -> None:
    done = subprocess.run([sys.executable, "-c", _INTERRUPTED], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n") == ["stopped", "the rule was finished", "stopped", "True", ""]
    assert done.stderr == ""
