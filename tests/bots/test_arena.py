"""Processes in which games go side by side."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from drunemeton.bots.arena import SAFE, workers


@pytest.mark.parametrize("before", [None, ""])
def test_they_run_nothing_from_the_current_folder_and_leave_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str | None
) -> None:
    """Nor does anything else that is started from here learn of them."""
    (tmp_path / "multiprocessing.py").write_text("from pathlib import Path; Path(__file__).with_name('was_run').touch()\n")
    monkeypatch.chdir(tmp_path)
    if before is None:
        monkeypatch.delenv(SAFE, raising=False)
    else:
        monkeypatch.setenv(SAFE, before)
    with workers(1) as pool:
        assert pool.submit(os.getcwd).result(timeout=60) == str(tmp_path)
    assert not (tmp_path / "was_run").exists()
    assert os.environ.get(SAFE) == before
