"""The laboratory in a browser: knobs, components edited on the game's own drawing, charts that fill, results that go out and come in."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from drunemeton import lab

from .conftest import DESK, PHONE, Opener
from .test_pages import assert_accessible

COMPILED = 300_000  # the first games ever are compiled first, which a busy machine takes minutes for


def laboratory(page: Page, game: str, knob: str) -> None:
    """The page of the laboratory, at one knob of a game."""
    page.goto("/lab")
    page.locator("[data-game]").select_option(game)
    page.locator("[data-knob]").select_option(knob)


def run(page: Page) -> None:
    """Fifty deals at random, to their end."""
    page.locator("[data-bot]").select_option("random")
    page.locator("select:has(option[value='50'])").select_option("50")
    page.locator("[data-run]").click()
    expect(page.locator("[data-chart]").first).to_be_visible(timeout=COMPILED)
    expect(page.locator("[data-keep]")).to_be_visible()


def test_a_deck_is_edited_card_by_card_and_its_result_is_kept_shared_and_compared(opened: Opener, tmp_path: Path) -> None:
    page = opened(DESK, theme="dark")
    laboratory(page, "druidenwalzer", "sun")
    for card, count in (("5<", "9"), ("5>", "9"), ("1<", "0")):
        page.locator(f"[data-entry='{card}']").fill(count)
        page.keyboard.press("Tab")
    run(page)
    chart = page.locator("[data-chart='length.turns']")
    expect(chart.locator("circle")).to_have_count(2)
    chart.locator("summary").click()
    expect(chart.locator("tbody tr")).to_have_count(2)
    assert_accessible(page, "laboratory with a result")
    with page.expect_download() as download:
        page.locator("[data-keep]").click()
    kept = tmp_path / "kept.json"
    download.value.save_as(kept)
    deck = lab.read_result(kept).settings[1]["components"]["sun"]
    assert [deck[card] for card in ("5<", "5>", "1<", "2<")] == [9, 9, 0, 3]
    page.locator("input[type=file]").set_input_files(kept)
    page.locator("[data-theirs]").select_option("1")
    assert page.locator("[data-beside] tbody tr").count() > 5

    # Whoever is given the file sees the same, and opens its games.
    guest = opened(PHONE)
    guest.goto("/lab")
    guest.locator("input[type=file]").set_input_files(kept)
    expect(guest.locator("[data-chart]").first).to_be_visible()
    guest.locator("[data-replay=longest]").last.click()
    guest.wait_for_url("**/replay")
    expect(guest.locator("h1")).to_be_visible()


def test_a_number_that_was_typed_is_tried_and_the_answer_prints_on_paper(opened: Opener) -> None:
    """Nobody has to press "add" first; and what was drawn for a wide screen stays within its frame on a narrow sheet."""
    page = opened(DESK, language="de")
    laboratory(page, "druidenwalzer", "hand")
    page.locator("[data-values]").fill("500")
    page.locator("[data-run]").click()
    expect(page.locator("[role=alert]")).to_contain_text("Karten einer vollen Hand: 500 ist keine ganze Zahl")
    opened.troubles.clear()  # the browser reports the 422
    page.locator("[data-take=hand]").click()
    page.locator("[data-values]").fill("1")
    page.locator("[data-bot]").select_option("random")
    page.locator("[data-rival]").select_option("greedy")
    run(page)
    expect(page.locator("[data-lab]")).to_contain_text("Was eine Partie entscheidet: Können zu")
    expect(page.locator("[data-said]").first).to_have_attribute("data-said", "Karten einer vollen Hand = 1")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 700, "height": 1000})
    for hidden in ("header", "[data-knob]", "[data-run]", "[data-replay]"):
        expect(page.locator(hidden).first).to_be_hidden()
    expect(page.locator("h1")).to_be_visible()
    for chart in page.locator("[data-chart]").all():
        frame = chart.bounding_box()
        for dot in chart.locator("circle").all():
            box = dot.bounding_box()
            assert frame
            assert box
            assert frame["x"] <= box["x"]
            assert box["x"] + box["width"] <= frame["x"] + frame["width"]


def test_the_path_is_edited_on_the_island_by_keyboard(opened: Opener) -> None:
    page = opened(DESK)
    laboratory(page, "celtica", "places")
    ruin = page.locator("[data-place='4']")
    ruin.focus()
    page.keyboard.press("Enter")
    expect(ruin).to_have_attribute("aria-pressed", "true")
    page.locator("[data-kind]").select_option("village")
    expect(page.locator("[data-parts]")).to_have_value("1")
    with page.expect_request(lambda request: request.url.endswith("/api/lab") and request.method == "POST") as asked:
        run(page)
    vary = json.loads(asked.value.post_data or "")["vary"]
    assert [one["together"] for one in vary] == [{"places.4.kind": "village", "places.4.parts": 1}]


def test_what_was_played_until_it_is_stopped_stays(opened: Opener) -> None:
    page = opened(PHONE, theme="dark")
    laboratory(page, "daemonen", "fields")
    page.locator("[data-entry=FFFFFW]").fill("9")
    page.keyboard.press("Tab")
    page.locator("select:has(option[value='1000'])").select_option("1000")
    page.locator("[data-run]").click()
    expect(page.locator("[data-chart]").first).to_be_visible(timeout=COMPILED)
    page.locator("[data-cancel]").click()
    expect(page.locator("[data-keep]")).to_be_visible()
    assert page.locator("[data-replay]").count() == 8
    assert_accessible(page, "laboratory on a phone")
