"""The games of a device: noted at their end, weighed, told as chart and table, and taken to another device and back as a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route, expect

from drunemeton.client import make_table

from .conftest import DESK, PHONE, Opener
from .hands import come_in, state
from .test_pages import assert_accessible

LINES = [{"accuracy": 81.4, "luck": -0.12}, {"accuracy": 60.0, "luck": 0.12}]
SEATS = [{"kind": "person", "name": "Ada"}, {"kind": "bot", "bot": "random"}]


def give_up(page: Page, server: str) -> str:
    """Sit down with a bot and give up as soon as it has begun; answers the table."""
    made = make_table(server, "druidenwalzer", SEATS)
    come_in(page, made["links"][0])
    assert state(page) == "mine"  # the bot has decided something: there is a game to look at
    page.locator("[data-resign]").click()
    page.locator("[data-resign-sure]").click()
    expect(page.locator("dialog[data-end=resigned]")).to_be_visible()
    return str(made["table"])


def weighed(route: Route) -> None:
    """A review, as far as this page reads one."""
    answer: dict[str, Any] = {"id": "x", "state": "ready", "done": 1, "steps": 1, "problem": None, "review": {"lines": LINES}}
    route.fulfill(body=json.dumps(answer), content_type="application/json")


def test_games_are_noted_weighed_and_taken_along(opened: Opener, server: str, tmp_path: Path) -> None:
    page = opened(DESK)
    tables = [give_up(page, server) for _ in range(2)]
    page.route("**/api/tables/*/review", weighed)
    page.goto("/")
    page.locator("[data-games-door]").click()
    expect(page.locator("[data-games='2'] [data-played]")).to_have_count(2)
    expect(page.locator("[data-list] [data-how=lost]")).to_have_count(2)
    expect(page.locator("[data-course]")).to_have_count(0)
    page.locator("[data-weigh]").click()
    expect(page.locator("[data-course]")).to_be_visible()
    expect(page.locator(f"[data-played='{tables[0]}']")).to_contain_text("81")
    expect(page.locator(f"[data-played='{tables[0]}']")).to_contain_text("−12")
    expect(page.locator("[data-opponents] tbody tr")).to_have_count(1)
    assert_accessible(page, "my games")
    with page.expect_download() as saved:
        page.locator("[data-games-save]").click()
    saved.value.save_as(tmp_path / "games.json")

    phone = opened(PHONE, theme="dark", language="de")
    phone.goto("/games")
    expect(phone.locator("[data-games='0']")).to_be_visible()
    for new in ("2", "0"):  # what is there already is not taken twice
        phone.locator("[data-games-open]").set_input_files(tmp_path / "games.json")
        expect(phone.locator("[data-told]")).to_contain_text(f"{new} neue Partien")
        expect(phone.locator("[data-played]")).to_have_count(2)
    assert_accessible(phone, "my games on a phone")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for table in ("[data-list]", "[data-opponents]"):  # accuracy and luck are in sight: nobody has to find out that it scrolls
        assert phone.locator(table).evaluate("one => one.parentElement.scrollWidth <= one.parentElement.clientWidth"), table
    (tmp_path / "other.json").write_text('{"lessons": []}')
    phone.locator("[data-games-open]").set_input_files(tmp_path / "other.json")
    expect(phone.locator("[data-told]")).to_contain_text("keine Partien")
    expect(phone.locator("[data-played]")).to_have_count(2)


def test_what_was_arranged_is_no_game_of_ours(opened: Opener, server: str) -> None:
    page = opened(DESK)
    first = give_up(page, server)
    made = make_table(server, "druidenwalzer", SEATS, position={"table": first, "step": 0})
    come_in(page, made["links"][0])
    page.locator("[data-resign]").click()
    page.locator("[data-resign-sure]").click()
    expect(page.locator("dialog[data-end=resigned]")).to_be_visible()
    page.goto("/games")
    expect(page.locator("[data-played]")).to_have_count(1)
