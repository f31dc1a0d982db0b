"""Nothing of the other hand reaches the page: not its messages, not what it draws, not its memory."""

from __future__ import annotations

import json
import random
from typing import Any

from playwright.sync_api import Page

import hatch_build

from .conftest import Opener
from .hands import TABLE, by_list, come_in

# Every card of Moon's but the 1s is there only once, so one in his hand cannot be known from anywhere else.
DECKS = {
    "sun": {f"{value}{arrow}": 3 for value in range(1, 6) for arrow in "<>"},
    "moon": {"1<": 8, **{f"{value}{arrow}": 1 for value in range(2, 10) for arrow in "<>"}},
}


def memory_of(page: Page) -> str:
    """All that the page's JavaScript holds: a heap snapshot."""
    session = page.context.new_cdp_session(page)
    chunks: list[str] = []
    session.on("HeapProfiler.addHeapSnapshotChunk", lambda chunk: chunks.append(chunk["chunk"]))
    session.send("HeapProfiler.enable")
    session.send("HeapProfiler.collectGarbage")
    session.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    session.detach()
    return "".join(chunks)


def among(cards: list[str], text: str) -> set[str]:
    """Which of these cards a text names: in memory and in a page their arrows may be written as escapes."""
    spellings = {
        card: (card, card.replace("<", "&lt;").replace(">", "&gt;"), card.replace("<", "\\u003c").replace(">", "\\u003e")) for card in cards
    }
    return {card for card, spelt in spellings.items() if any(one in text for one in spelt)}


def sit_at(page: Page, server: str, table: str, key: str, heard: list[dict[str, Any]]) -> None:
    def listen(socket: Any) -> None:
        socket.on("framereceived", lambda frame: heard.append(json.loads(frame)))

    page.on("websocket", listen)
    come_in(page, f"/t/{table}#{key}")
    assert page.url == f"{server}/t/{table}", "the key is taken out of the address line"


def test_what_one_side_does_not_know_is_nowhere_in_its_browser(opened: Opener, server: str) -> None:
    # Without previews: those name cards that *may* come up, and so might guess right.
    sun, moon = opened(preview=False), opened(preview=False)
    made = sun.request.post(
        "/api/tables",
        data={"game": "druidenwalzer", "seats": [{"kind": "person"}, {"kind": "person"}], "options": {}, "components": DECKS, "seed": None},
    ).json()
    told: dict[str, list[dict[str, Any]]] = {"sun": [], "moon": []}
    sit_at(sun, server, made["table"], made["keys"][0], told["sun"])
    sit_at(moon, server, made["table"], made["keys"][1], told["moon"])
    # A card that the page's own code names (the lobby's picture shows two) proves nothing.
    scripts = "".join(path.read_text(encoding="utf-8") for path in (hatch_build.ASSETS / "assets").glob("*.js"))
    rng = random.Random(9)
    secrets_seen = 0
    for turn in range(22):
        for page in (sun, moon):
            page.wait_for_selector(f"{TABLE}[data-state=mine], {TABLE}[data-state=waiting], {TABLE}[data-state=over]")
        mover = next((page for page in (sun, moon) if page.get_attribute(TABLE, "data-state") == "mine"), None)
        if mover is None:
            if sun.get_attribute(TABLE, "data-state") == "over":
                break
            sun.wait_for_timeout(100)
            continue
        before = {page: page.get_attribute(TABLE, "data-revision") for page in (sun, moon)}
        by_list(mover, rng)
        for page in (sun, moon):
            page.wait_for_selector(f"{TABLE}:not([data-revision='{before[page]}'])")
        if turn % 7 != 6:
            continue
        hand = [card for card in _view(told["moon"])["hand"]["moon"] if card and not card.startswith("m1")]
        heard = json.dumps(told["sun"])
        assert all(message["type"] != "previewed" for message in told["sun"])
        hidden = [card for card in hand if card.startswith("m") and card not in scripts and not _was_shown(told["moon"], card)]
        secrets_seen += len(hidden)
        memory, drawn, kept = memory_of(sun), sun.content(), json.dumps(sun.evaluate("() => ({...localStorage, ...sessionStorage})"))
        for where, text in (("messages", heard), ("memory", memory), ("page", drawn), ("storage", kept)):
            assert among(hidden, text) == set(), f"cards are in the {where} of the other side"
        assert sun.locator("[data-part=far-hand] text").count() == 0
        assert all(card in {None, "?"} for message in told["sun"] if message.get("view") for card in message["view"]["hand"]["moon"])
        assert all(message.get("secret") is None for message in told["sun"])
    assert secrets_seen > 0, "nothing was hidden, so nothing was tested"


def _view(messages: list[dict[str, Any]]) -> dict[str, Any]:
    return next(message["view"] for message in reversed(messages) if "view" in message)


def _was_shown(messages: list[dict[str, Any]], card: str) -> bool:
    """Whether everybody has seen the card: it lay open once, and came back into the hand."""
    for message in messages:
        view = message.get("view")
        if view and (card in view["cult"]["sun"] + view["cult"]["moon"] or any(tree["top"] == card for tree in view["trees"])):
            return True
        for event in [*(message.get("events") or []), *(message.get("missed") or [])]:
            if event.get("card") == card and event["kind"] != "drawn":
                return True
    return False
