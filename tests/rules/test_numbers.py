"""Every numbered rule of every game has a test that names it, and nobody names a rule that does not exist."""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

import pytest

from drunemeton.rules.game import find_game, playable

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "rules" / "en"
NUMBER = re.compile(r"\b[A-Z]{2}-\d+\.\d+\b")


@functools.cache
def numbered(game: str) -> frozenset[str]:
    """The numbers that the English rules text of a game gives to its rules."""
    return frozenset(re.findall(r"\*\*([A-Z]{2}-\d+\.\d+)\*\*", (DOCS / f"{game}.md").read_text(encoding="utf-8")))


@functools.cache
def named_by_tests() -> frozenset[str]:
    """The numbers in the docstrings of all test functions."""
    found: set[str] = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found.update(NUMBER.findall(ast.get_docstring(node) or ""))
    return frozenset(found)


def test_rules_are_found() -> None:
    assert {"DW-1.1", "DW-3.0", "DW-6.5", "DW-10.3"} <= numbered("druidenwalzer")
    assert len(numbered("druidenwalzer")) == 46


@pytest.mark.parametrize("game", playable())
def test_every_rule_has_a_test(game: str) -> None:
    missing = sorted(numbered(game) - named_by_tests())
    assert not missing, f"no test names {', '.join(missing)}"


@pytest.mark.parametrize("game", playable())
def test_tests_name_rules_that_exist(game: str) -> None:
    prefix = find_game(game).prefix
    unknown = sorted(number for number in named_by_tests() - numbered(game) if number.startswith(prefix))
    assert not unknown, f"tests name {', '.join(unknown)}, and the rules text does not have them"


PLACES = ("src/drunemeton", "frontend/src", "docs", "tests/reference", "examples")
READ = {".py", ".ts", ".svelte", ".toml", ".json", ".md"}


@functools.cache
def named_elsewhere() -> dict[str, frozenset[Path]]:
    """The numbers that sources, page, words and documents name, and where."""
    found: dict[str, frozenset[Path]] = {}
    for path in (path for place in PLACES for path in (ROOT / place).rglob("*")):
        if path.suffix in READ and path.is_file() and "assets" not in path.parts:
            for number in NUMBER.findall(path.read_text(encoding="utf-8")):
                found[number] = found.get(number, frozenset()) | {path}
    return found


@pytest.mark.parametrize("game", playable())
def test_rules_named_elsewhere_exist(game: str) -> None:
    """Options, log lines, refusals, lessons, the page and the documents point to rules of the text."""
    prefix = find_game(game).prefix
    named = {number: paths for number, paths in named_elsewhere().items() if number.startswith(prefix)}
    assert len(named) >= len(numbered(game))
    assert {number: paths for number, paths in named.items() if number not in numbered(game)} == {}
    assert {option.rule for option in find_game(game).described} <= numbered(game)
