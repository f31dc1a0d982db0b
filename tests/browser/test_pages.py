"""Every page in both themes: readable by everybody, in the reader's language, friendly when lost, and small."""

from __future__ import annotations

import gzip
import random
import re

import pytest
from playwright.sync_api import Page, expect

from .conftest import DESK, HOUSE, PHONE, Opener
from .hands import TABLE, by_list, play, sit_down, state

AXE = HOUSE / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
FIRST_PAGE_LIMIT = 120_000


# Each size and each theme in `make test`; the other two pairs in `make proof`.
LOOKS = [
    pytest.param(DESK, "light", id="desk-day"),
    pytest.param(PHONE, "dark", id="phone-night"),
    pytest.param(DESK, "dark", id="desk-night", marks=pytest.mark.proof),
    pytest.param(PHONE, "light", id="phone-day", marks=pytest.mark.proof),
]
NIGHT = [pytest.param(*one.values, id=one.id, marks=[] if one.id == "phone-night" else pytest.mark.proof) for one in LOOKS]


def assert_accessible(page: Page, where: str) -> None:
    """No violation that axe-core can find."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run(document)).violations.map(v => `${v.id}: ${v.nodes.map(n => n.target).join(' ')}`)")
    assert found == [], f"{where}: {found}"


@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_every_page_is_accessible(opened: Opener, theme: str, size: dict[str, int]) -> None:
    page = opened(size, theme=theme)
    for address in (
        "/new/druidenwalzer",
        "/rules",
        "/rules/druidenwalzer",
        "/rules/celtica",
        "/rules/daemonen",
        "/no/such/page",
        "/t/none",
    ):
        page.goto(address)
        page.wait_for_selector("h1")
        page.wait_for_load_state("networkidle")
        assert_accessible(page, address)
    opened.troubles.clear()  # the browser itself reports the 404 of a table that is not there
    page.goto("/")
    page.wait_for_selector("[data-play]")
    assert_accessible(page, "lobby")
    sit_down(page)
    state(page)
    assert_accessible(page, "set-up")
    play(page, by_list, random.Random(11), turns=5)
    assert state(page) == "mine"
    assert_accessible(page, "table")
    page.locator("button[data-hand]").first.click()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-armed]").first).to_be_visible()
    page.wait_for_selector("[data-part=ahead]", state="attached")
    assert_accessible(page, "preview")
    page.keyboard.press("Escape")
    for drawer in ("settings", "fairness") if size is DESK else ("moves", "log", "settings"):
        page.locator(f"[data-open={drawer}]").first.click()
        assert_accessible(page, drawer)
        page.keyboard.press("Escape")
    if size is PHONE:
        page.locator("[data-open=settings]").click()
    page.locator("[data-resign]:visible").click()
    page.locator("[data-resign-sure]").click()
    expect(page.locator("dialog[data-end]")).to_be_visible()
    assert_accessible(page, "end")


def test_the_language_follows_the_browser_and_can_be_changed(opened: Opener) -> None:
    page = opened(language="de-AT")
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("[data-play=druidenwalzer]")).to_have_text("Jetzt spielen")
    sit_down(page)
    state(page)
    page.locator("[data-language]").select_option("en")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("[data-part=status] [role=status]")).to_contain_text("cult board")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "en")


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.proof), "de"])
def test_no_key_of_the_catalogue_shows_through(opened: Opener, language: str) -> None:
    page = opened(language=language)
    texts = []
    for address in ("/", "/new/druidenwalzer", "/rules", "/nowhere"):
        page.goto(address)
        page.wait_for_selector("h1")
        page.wait_for_load_state("networkidle")
        texts.append(page.locator("body").inner_text())
    sit_down(page)
    assert not play(page, by_list, random.Random(12), turns=8)
    page.locator("[data-open=settings]").click()
    texts.append(page.locator("body").inner_text())
    page.keyboard.press("Escape")
    labels = page.eval_on_selector_all("[aria-label]", "all => all.map(one => one.getAttribute('aria-label')).join('\\n')")
    for text in [*texts, labels]:
        assert not re.search(r"\b(web|event|reason|word)\.[a-z]", text)
        assert "undefined" not in text


def test_day_and_night(opened: Opener) -> None:
    page = opened(theme="dark")
    page.goto("/")
    html = page.locator("html")
    expect(html).to_have_attribute("data-theme", "night")
    page.locator("[data-theme-switch]").click()
    expect(html).to_have_attribute("data-theme", "day")
    page.reload()
    expect(html).to_have_attribute("data-theme", "day")


def test_options_and_a_component_file(opened: Opener) -> None:
    page = opened()
    page.goto("/new/druidenwalzer")
    page.locator("[data-variants] summary").click()
    page.locator("#option-trees").fill("2")
    page.locator("#option-moon_row").select_option("mirrored")
    deck = '# a small deck\n[sun]\n"1<" = 12\n"2>" = 12\n[moon]\n"1>" = 12\n"3<" = 12\n'
    page.locator("input[type=file]").set_input_files({"name": "deck.toml", "mimeType": "text/plain", "buffer": deck.encode()})
    expect(page.locator("[data-part=loaded]")).to_be_visible()
    page.locator("[data-begin]").click()
    page.wait_for_selector(TABLE)
    state(page)
    expect(page.locator("[data-drop][aria-label]:not([data-druid])")).to_have_count(6)


def test_a_table_is_set_up_by_preset_and_begins_without_scrolling(opened: Opener) -> None:
    for size, game, more in (
        ({"width": 1366, "height": 657}, "druidenwalzer", {"tokens_to_conquer": 4, "trees_to_lose": 1}),
        (PHONE, "celtica", {}),
        (PHONE, "daemonen", {}),
    ):
        page = opened(size)
        page.goto(f"/new/{game}")
        page.locator("[data-preset=short]").check()
        begin = page.locator("[data-begin]")
        expect(begin).to_be_in_viewport(ratio=1)
        expect(page.locator("#seat-0")).to_be_in_viewport(ratio=1)
        expect(page.locator("[data-sample]")).to_be_hidden()
        page.locator("[data-components] summary").click()
        sample = page.request.get(page.locator("[data-sample]").get_attribute("href") or "")
        assert "provenance" in sample.text()
        begin.click()
        page.wait_for_selector(TABLE)
        shown = page.request.get(f"/api/tables/{page.url.rpartition('/')[2]}").json()
        assert {name: shown["options"][name] for name in more} == more
        assert [seat["bot"] for seat in shown["seats"]] == [None, "level-1"]


def test_a_bad_component_file_is_refused_with_its_entry(opened: Opener) -> None:
    page = opened()
    page.goto("/new/druidenwalzer")
    page.locator("input[type=file]").set_input_files({"name": "bad.json", "mimeType": "text/plain", "buffer": b'{"sun": {"77<": 30}}'})
    page.locator("[data-begin]").click()
    expect(page.locator("[data-part=problem]")).to_contain_text("sun")
    opened.troubles.clear()  # the browser reports the 422


def test_a_rule_can_be_linked_to(opened: Opener) -> None:
    page = opened()
    page.goto("/rules/druidenwalzer#DW-5.4")
    expect(page.locator("[id='DW-5.4'][aria-current]")).to_be_in_viewport()
    expect(page.locator("figure svg").nth(2)).to_be_attached()


def test_the_first_page_is_small(opened: Opener) -> None:
    page = opened()
    sizes: dict[str, int] = {}
    page.on(
        "response", lambda answer: sizes.update({answer.url: len(gzip.compress(answer.body()))}) if answer.url.endswith(".js") else None
    )
    page.goto("/")
    page.wait_for_selector("[data-play]")
    assert 0 < sum(sizes.values()) <= FIRST_PAGE_LIMIT, sizes


def test_nothing_sticks_out(opened: Opener) -> None:
    page = opened(PHONE, language="de")
    for address in ("/", "/new/druidenwalzer", "/rules/daemonen"):
        page.goto(address)
        page.wait_for_selector("h1")
        page.wait_for_load_state("networkidle")
        assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"], address
    for size in (PHONE, {"width": 1024, "height": 768}, DESK):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        sit_down(page)
        play(page, by_list, random.Random(13), turns=5)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= size["width"], size


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.proof), "de"])
def test_the_rules_lead_to_the_rulings_and_back(opened: Opener, language: str) -> None:
    page = opened(language=language)
    page.goto("/rules/celtica")
    page.locator("article a[href='/rules/rulings']").click()
    expect(page.locator("article h1")).to_have_text("Rulings")
    assert_accessible(page, "rulings")
    page.locator("article a[href^='/rules/celtica#CE-']").first.click()
    expect(page.locator("p[id][aria-current]")).to_be_visible()
