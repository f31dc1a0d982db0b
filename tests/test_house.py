"""The house: a room imports only from rooms to its left, and every file of the project says nothing it should not."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "drunemeton"

MAY_IMPORT: dict[str, set[str]] = {
    "rules": set(),
    "locales": set(),
    "progress": set(),
    "records": {"rules"},
    "bots": {"rules", "records"},
    "bench": {"rules", "bots"},
    "envs": {"rules", "bots"},
    "bench_search": {"rules", "bots", "bench", "server"},
    "terminal": {"rules", "records", "bots", "locales", "progress"},
    "table": {"rules", "records", "bots"},
    "store": {"rules", "records", "bots", "table"},
    "server": {"rules", "records", "bots", "table", "store", "locales", "client"},
    "client": {"rules", "locales", "records", "bots"},
}


def rooms_imported(path: Path) -> set[str]:
    """The rooms that a file imports, at its top or anywhere within."""
    package = path.relative_to(SOURCE).parent.parts
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            if node.level:
                base = package[: len(package) - node.level + 1]
                names = [(*base, *(node.module or "").split("."), alias.name) for alias in node.names]
            elif (node.module or "").startswith("drunemeton"):
                names = [(*(node.module or "").split(".")[1:], alias.name) for alias in node.names]
            else:
                continue
            rooms |= {next(part for part in name if part) for name in names}
        elif isinstance(node, ast.Import):
            rooms |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("drunemeton.")}
    return rooms


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_room_imports_only_from_rooms_to_its_left(path: Path) -> None:
    room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    if room in ("cli", "__init__"):
        return
    outside = rooms_imported(path) - {room} - {"__version__"}
    assert outside <= MAY_IMPORT[room], f"{room} must not import {outside - MAY_IMPORT[room]}"


def test_a_game_does_not_import_another() -> None:
    for path in sorted((SOURCE / "rules").glob("*/*.py")):
        others = {"druidenwalzer", "celtica", "daemonen"} - {path.parent.name}
        text = path.read_text(encoding="utf-8")
        assert not re.search(rf"import .*({'|'.join(others)})|from \.+({'|'.join(others)})", text), path


def test_no_registry_address_and_no_lock_of_uv_is_committed() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    assert "uv.lock" not in tracked
    for name in tracked:
        if name.endswith((".lock", "package-lock.json", ".npmrc", "constraints.txt", "pyproject.toml", "Makefile")):
            hosts = set(re.findall(r"https?://([^/\" ]+)", (ROOT / name).read_text(encoding="utf-8")))
            assert not {host for host in hosts if "registry" in host or "pypi" in host or "npm" in host}, name
