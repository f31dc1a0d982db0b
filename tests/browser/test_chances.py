"""The chances of a running game in the browser: bots alone are watched with them, and a person is asked first."""

from __future__ import annotations

import contextlib
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


ASKED = "[data-chances-asked]"


def wish(page: Page, to: bool = True) -> None:
    """Agree among the people, where one looks for the chances; or no longer."""
    page.locator("[data-open=people]").click()
    summary, box = page.locator("[data-chances] summary").first, page.locator("[data-agree]")
    expect(summary).to_be_visible()
    for _ in range(4):  # it is as it was left, which may be known a moment later, and what is in it comes later still
        if not page.locator("[data-chances][open]").count():
            summary.click()
        with contextlib.suppress(AssertionError):
            expect(box).to_be_visible(timeout=8000)
            break
    box.set_checked(to)
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_the_others_notice_that_somebody_would_like_to_see_them(opened: Opener, server: str) -> None:
    """Quietly: a line with the way to agree in one press, said once and without a name; whoever watches is not asked."""
    made = make_table(server, "celtica", [{"kind": "person", "name": name} for name in ("Ada", "Bo", "Cy")])
    pages = [opened(DESK), opened(PHONE, language="de"), opened(DESK, theme="dark", language="fr"), opened(DESK)]
    for page, link in zip(pages, [*made["links"], made["watch_link"]], strict=True):
        page.route("**/api/tables/*/chances", weighed)
        come_in(page, link)
    ada, bo, cy, watching = pages
    regions = "[role=status]:has([data-chances-asked])"
    for page in pages:
        expect(page.locator("main[data-seat]" if page is not watching else "main[data-revision]")).to_be_visible()
        expect(page.locator(ASKED)).to_have_count(0)
    focused = "document.activeElement?.outerHTML.slice(0, 80)"
    before = bo.evaluate(focused)
    # What comes into the region is counted: a screen reader says each of it.
    bo.evaluate("""() => {
        window.said = 0
        new MutationObserver((seen) => (window.said += seen.some(({ target }) => target.closest?.('[data-part=slips] > [role=status]'))))
            .observe(document.querySelector('[data-part=slips]'), { childList: true, subtree: true, characterData: true })
    }""")
    wish(ada)
    for page in (bo, cy):
        expect(page.locator(regions)).to_have_count(1)
        expect(page.locator(f"[role=alert] {ASKED}, {ASKED} [role=alert]")).to_have_count(0)
        told_of = page.locator(regions).inner_text()  # beside it a slip may still say who has come
        assert not any(name in told_of for name in ("Ada", "Bo", "Cy")), told_of
        assert_accessible(page, "asked")
    for page in (ada, watching):
        expect(page.locator(ASKED)).to_have_count(0)
    assert bo.evaluate(focused) == before, "the focus stays where it was"

    # One puts it aside, and is not asked again, whatever the other does.
    cy.locator("[data-chances-aside]").click()
    expect(cy.locator(ASKED)).to_have_count(0)
    # One press agrees; nothing was said twice until then.
    assert bo.evaluate("window.said") == 1
    bo.locator("[data-chances-agree]").click()
    expect(bo.locator(ASKED)).to_have_count(0)
    wish(ada, to=False)
    wish(ada)
    expect(cy.locator(ASKED)).to_have_count(0)
    for page in (ada, bo, cy):
        expect(page.locator("[data-chances-granted]")).to_have_count(0)
    # The last of them agrees later, by himself: all are told where to look.
    wish(cy)
    for page in (ada, bo, cy):
        expect(page.locator("[data-chances-granted]")).to_be_visible()
    bo.locator("[data-chances-show]").click()
    told(bo)
    expect(bo.locator("[data-live] [data-graph]")).to_be_in_viewport()
    wish(ada, to=False)
    expect(cy.locator("[data-chances-granted]")).to_have_count(0)
    expect(bo.locator("[data-live]")).to_have_count(0)


def test_who_is_asked_learns_nothing_but_that(opened: Opener, server: str) -> None:
    """What arrives when somebody agrees differs from what arrived before by whose seat agreed, and by nothing else."""
    made = make_table(server, "druidenwalzer", [{"kind": "person", "name": name} for name in ("Ada", "Bo")])
    heard: list[dict[str, object]] = []
    ada, bo = opened(DESK), opened(DESK)
    bo.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(json.loads(frame))))
    for page, link in zip((ada, bo), made["links"], strict=True):
        come_in(page, link)
    wish(ada)
    expect(bo.locator(ASKED)).to_be_visible()
    wish(ada, to=False)
    expect(bo.locator(ASKED)).to_have_count(0)
    asked, withdrawn = (message for message in heard[-2:])
    assert {name for name in asked if asked[name] != withdrawn[name]} == {"agreed"}
