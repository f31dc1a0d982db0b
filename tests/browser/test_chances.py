"""The chances of a running game in the browser: bots alone are watched with them, and a person is asked first."""

from __future__ import annotations

import json

from playwright.sync_api import Page, Route, expect

from drunemeton.client import make_table

from .conftest import DESK, PHONE, Opener
from .hands import come_in, state
from .test_pages import assert_accessible

BOT = {"kind": "bot", "bot": "level-5"}
POINTS = [[0.5, 0.5], [0.6, 0.4], [0.55, 0.45]]


def weighed(route: Route) -> None:
    """Chances as a server tells them: what the page makes of them is tested, not the appraisal."""
    route.fulfill(body=json.dumps({"steps": 2, "points": POINTS, "revisions": [0, 0, 0]}), content_type="application/json")


def told(page: Page) -> None:
    expect(page.locator("[data-live='2'] [data-graph=first]")).to_be_visible()
    expect(page.locator("[data-live] [data-table] tbody tr")).to_have_count(len(POINTS))


def test_bots_alone_are_watched_with_their_chances(opened: Opener, server: str) -> None:
    page = opened(DESK)
    page.route("**/api/tables/*/chances", weighed)
    made = make_table(server, "daemonen", [BOT, BOT])  # long enough not to be over before somebody looks
    come_in(page, made["watch_link"])
    page.locator("[data-watch-chances] summary").first.click()
    told(page)
    assert_accessible(page, "chances")


def test_a_person_is_asked_first_and_may_withdraw(opened: Opener, server: str) -> None:
    page = opened(PHONE, language="de")
    page.route("**/api/tables/*/chances", weighed)
    made = make_table(server, "druidenwalzer", [{"kind": "person", "name": "Ada"}, BOT])
    come_in(page, made["links"][0])
    assert state(page) == "mine"
    page.locator("[data-open=people]").click()
    page.locator("[data-chances] summary").first.click()
    expect(page.locator("[data-missing='0']")).to_be_visible()
    page.locator("[data-agree]").check()
    told(page)
    assert_accessible(page, "agreed")
    page.locator("[data-agree]").uncheck()
    expect(page.locator("[data-missing='0']")).to_be_visible()
    expect(page.locator("[data-live]")).to_have_count(0)
