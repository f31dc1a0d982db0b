"""One line changes a game, on the command line and in a file: what the author is told to write works."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from drunemeton.cli import main
from drunemeton.cli.settings import options_from, settings
from drunemeton.rules.errors import GameError
from drunemeton.rules.game import find_game, playable

PAGE = Path(__file__).parents[2] / "docs" / "daemonen-author.md"


def test_the_authors_sample_file_can_be_played(tmp_path: Path) -> None:
    samples = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert samples
    for sample in samples:
        path = tmp_path / "mine.toml"
        path.write_text(sample, encoding="utf-8")
        options, components = options_from(path)
        laid = find_game("daemonen").lay_out(2, options, components)
        assert laid.components["demons"] == 18
        assert laid.components["fields"]["FFFFFW"] == 4
        assert len(laid.components["fields"]) > 30


def test_one_number_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "six.toml"
    path.write_text("[components]\ndemons = 6\n", encoding="utf-8")
    options, components = options_from(path)
    assert find_game("daemonen").lay_out(2, options, components).components["demons"] == 6


def test_values_make_settings(tmp_path: Path) -> None:
    game = find_game("daemonen")
    path = tmp_path / "line.toml"
    path.write_text('jump = "line"\n', encoding="utf-8")
    found = settings(game, [None, path], ["demons=6,24", "win=30"])
    assert [one.name for one in found] == ["demons=6", "demons=24", f"{path} demons=6", f"{path} demons=24"]
    assert found[2].options == {"jump": "line"}
    assert found[2].components == {"demons": 6, "win": 30}
    with pytest.raises(GameError):
        settings(game, [None], ["dragons=1"])


@pytest.mark.parametrize("name", playable())
def test_the_components_that_are_written_are_those_of_the_game(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["components", name]) == 0
    text = capsys.readouterr().out
    path = tmp_path / "own.toml"
    assert main(["components", name, "--out", str(path)]) == 0
    assert path.read_text(encoding="utf-8") == text
    from drunemeton.rules.components import read_components

    assert read_components(path) == find_game(name).default_components()
    assert main(["components", name, "--out", str(path)]) == 2


def test_simulate_compares_values(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "daemonen", "--games", "2", "--seats", "random,random", "--set", "demons=6,24", "--json"]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    assert [one["options"] for one in found] == ["demons=6", "demons=24"]
    assert found[1]["against"] == "demons=6"
