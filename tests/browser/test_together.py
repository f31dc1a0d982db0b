"""People together: several at one device, and several browsers at one table."""

from __future__ import annotations

import json
import random
from typing import Any

from playwright.sync_api import Page, expect

import hatch_build

from .conftest import Opener
from .hands import TABLE, by_list
from .test_secrets import DECKS, memory_of

SCREEN = "main[data-handover]"


def until(page: Page, selector: str) -> None:
    """Wait for an element without a handle to it, which would keep a page that is gone in memory."""
    page.locator(selector).first.wait_for(state="attached")


# --- One device


def set_up(page: Page, game: str, sitters: list[str], names: list[str], components: dict[str, Any] | None = None) -> None:
    """A table through the set-up page."""
    page.goto(f"/new/{game}")
    until(page, "#seat-0")
    if page.locator("#seats").count():
        page.locator("#seats").select_option(str(len(sitters)))
    for n, sitter in enumerate(sitters):
        page.locator(f"#seat-{n}").select_option(sitter)
        if sitter == "here":
            page.locator(f"[data-name='{n}']").fill(names[n])
    if components is not None:
        content = json.dumps(components).encode()
        page.locator("input[type=file]").set_input_files({"name": "deck.json", "mimeType": "text/plain", "buffer": content})
        expect(page.locator(".loaded")).to_be_visible()
    page.locator("form button.main").click()


def take_over(page: Page) -> int:
    """At the screen between two people: the next one says who he is."""
    seat = int(page.get_attribute(SCREEN, "data-handover") or -1)
    assert page.locator(TABLE).count() == 0
    page.locator(f"button.main[data-i-am='{seat}']").click()
    until(page, f"{TABLE}[data-seat='{seat}']")
    return seat


def take_turn(page: Page, rng: random.Random) -> str:
    """Play until somebody else has to; says whether the device is to be handed on, or the game is over."""
    for _ in range(60):
        until(page, f"{TABLE}[data-state=mine], [data-hand-over], {TABLE}[data-state=over]")
        if page.locator("[data-hand-over]").count():
            return "hand over"
        if page.get_attribute(TABLE, "data-state") == "over":
            return "over"
        before = page.get_attribute(TABLE, "data-revision")
        by_list(page, rng)
        until(page, f"{TABLE}:not([data-revision='{before}'])")
    raise AssertionError("the turn goes on and on")


def listen(page: Page, heard: list[dict[str, Any]]) -> None:
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(json.loads(frame))))


def spellings(card: str) -> list[str]:
    """How a card may be written in memory and in a page."""
    return [card, card.replace("<", "&lt;").replace(">", "&gt;"), card.replace("<", "\\u003c").replace(">", "\\u003e")]


def holdings(page: Page) -> set[str]:
    """Whose hands are known to any object in the page's memory (Celtica)."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.enable")
    session.send("HeapProfiler.collectGarbage")
    prototype = session.send("Runtime.evaluate", {"expression": "Object.prototype"})["result"]["objectId"]
    found = session.send("Runtime.queryObjects", {"prototypeObjectId": prototype})["objects"]["objectId"]
    count = """function () {
        const seats = new Set()
        for (const one of this) {
            try {
                if (Array.isArray(one.hand) && typeof one.seat === 'string' && one.hand.some((card) => card !== '?')) seats.add(one.seat)
            } catch {}
        }
        return [...seats]
    }"""
    answer = session.send("Runtime.callFunctionOn", {"objectId": found, "functionDeclaration": count, "returnByValue": True})
    session.detach()
    return set(answer["result"]["value"])


def test_two_at_one_device_see_nothing_of_each_other(opened: Opener) -> None:
    page = opened(preview=False)
    heard: list[dict[str, Any]] = []
    listen(page, heard)
    set_up(page, "druidenwalzer", ["here", "here"], ["Ada", "Bo"], DECKS)
    until(page, SCREEN)
    assert not heard, "nobody has looked yet"
    scripts = "".join(path.read_text(encoding="utf-8") for path in (hatch_build.ASSETS / "assets").glob("*.js"))
    rng = random.Random(9)
    tested = news = 0
    for _ in range(14):
        heard.clear()
        seat = take_over(page)
        expect(page.locator(f"[data-sitter='{seat}'] .who")).to_contain_text("Ada" if seat == 0 else "Bo")
        if page.locator("[data-meanwhile]").count():
            news += page.locator("[data-meanwhile] li").count()
            page.locator("[data-understood]").click()
            expect(page.locator("[data-meanwhile]")).to_have_count(0)
        if take_turn(page, rng) == "over":
            break
        page.locator("[data-hand-over]").click()
        until(page, SCREEN)
        views = [message["view"] for message in heard if "view" in message]
        hand = [card for card in views[-1]["hand"]["sun" if seat == 0 else "moon"] if card]
        other = "moon" if seat == 0 else "sun"
        assert all(card in {None, "?"} for view in views for card in view["hand"][other]), "only the own hand comes"
        if seat == 1 and len(heard) > 2:
            hidden = [card for card in hand if card.startswith("m") and not card.startswith("m1") and card not in scripts]
            tested += len(hidden)
            memory, drawn = memory_of(page), page.content()
            kept = json.dumps(page.evaluate("() => ({...localStorage, ...sessionStorage})"))
            for card in hidden:
                for where, text in (("memory", memory), ("page", drawn), ("storage", kept)):
                    assert not any(spelt in text for spelt in spellings(card)), f"{card} is still in the {where}"
            if tested > 3:
                break
    assert tested > 0
    assert news > 0, "what the other did is told"
