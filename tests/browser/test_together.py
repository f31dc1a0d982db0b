"""People together: several at one device, and several browsers at one table.

It is long because tables of several people share the helpers that seat them.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

import hatch_build

from ..patience import PATIENCE, comes_true
from .conftest import DESK, PHONE, Opener, opening
from .hands import TABLE, by_list, come_in
from .qr import read_qr
from .serving import serving
from .test_pages import assert_accessible
from .test_secrets import DECKS, among, memory_of

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
        expect(page.locator("[data-part=loaded]")).to_be_visible()
    page.locator("[data-begin]").click()


def take_over(page: Page) -> int:
    """At the screen between two people: the next one says who he is."""
    seat = int(page.get_attribute(SCREEN, "data-handover") or -1)
    assert page.locator(TABLE).count() == 0
    button = page.locator(f"[data-handover='{seat}'] [data-i-am='{seat}']")
    expect(button).to_be_focused()
    page.mouse.move(3, 3)
    page.keyboard.press("Enter")
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


def hand_on(page: Page) -> None:
    """Give the device away: Enter is enough."""
    expect(page.locator("[data-hand-over]")).to_be_focused()
    page.keyboard.press("Enter")
    until(page, SCREEN)


def listen(page: Page, heard: list[dict[str, Any]]) -> None:
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(json.loads(frame))))


def remembered(cards: list[str], page: Page) -> set[str]:
    """Which of these cards are named in the page's memory."""
    return among(cards, memory_of(page))


def in_time(expected: set[str], known: Callable[[Page], set[str]], page: Page) -> set[str]:
    """What is remembered, once the browser has had time to let go: it may still be drawing when it is first told to forget."""
    latest = time.monotonic() + PATIENCE
    while (found := known(page)) != expected and time.monotonic() < latest:
        time.sleep(0.1)
    return found


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
        expect(page.locator(f"[data-sitter='{seat}'] [data-part=who]")).to_contain_text("Ada" if seat == 0 else "Bo")
        if page.locator("[data-meanwhile]").count():
            news += page.locator("[data-meanwhile] li").count()
            page.locator("[data-understood]").click()
            expect(page.locator("[data-meanwhile]")).to_have_count(0)
        if take_turn(page, rng) == "over":
            break
        hand_on(page)
        views = [message["view"] for message in heard if "view" in message]
        hand = [card for card in views[-1]["hand"]["sun" if seat == 0 else "moon"] if card]
        other = "moon" if seat == 0 else "sun"
        assert all(card in {None, "?"} for view in views for card in view["hand"][other]), "only the own hand comes"
        if seat == 1 and len(heard) > 2:
            hidden = [card for card in hand if card.startswith("m") and not card.startswith("m1") and card not in scripts]
            tested += len(hidden)
            drawn, kept = page.content(), json.dumps(page.evaluate("() => ({...localStorage, ...sessionStorage})"))
            assert among(hidden, drawn) == among(hidden, kept) == set(), "nothing of a hand is left in the page or in what it keeps"
            assert in_time(set(), partial(remembered, hidden), page) == set(), "nor in its memory"
            if tested > 3:
                break
    assert tested > 0
    assert news > 0, "what the other did is told"


@pytest.mark.parametrize(("theme", "size"), [pytest.param("light", DESK, marks=pytest.mark.proof), ("dark", PHONE)], ids=["day", "night"])
def test_three_at_one_device(opened: Opener, theme: str, size: dict[str, int]) -> None:
    """Celtica: nobody's colours stay in the page's memory, whoever looks."""
    page = opened(size, theme=theme, language="de")
    set_up(page, "celtica", ["here", "here", "here"], ["Ada", "", "Cy"])
    until(page, SCREEN)
    assert in_time(set(), holdings, page) == set()
    assert_accessible(page, "handover")
    rng = random.Random(4)
    names = ["ulster", "connacht", "leinster"]
    seen = set()
    for turn in range(4):
        seat = take_over(page)
        seen.add(seat)
        expect(page.locator(f"[data-sitter='{seat}'] [data-part=who]")).to_contain_text(["Ada", "Connacht", "Cy"][seat])
        if turn == 3:
            assert in_time({names[seat]}, holdings, page) == {names[seat]}, "each sees the own hand and no other"
            assert_accessible(page, "news")
            expect(page.locator("[data-meanwhile] li").first).to_be_visible()
            # Who reloads may be anybody: the screen comes first.
            page.reload()
            until(page, SCREEN)
            assert in_time(set(), holdings, page) == set()
            return
        assert take_turn(page, rng) == "hand over"
        hand_on(page)
        assert in_time(set(), holdings, page) == set(), "nothing of a hand is left"
    assert seen == {0, 1, 2}


def test_where_nothing_is_hidden_no_screen_is_needed(opened: Opener) -> None:
    page = opened()
    set_up(page, "daemonen", ["here", "here"], ["Ada", "Bo"])
    until(page, f"{TABLE}[data-state=mine]")
    rng, seats, taken_back = random.Random(2), set(), False
    for _ in range(40):
        until(page, f"{TABLE}[data-state=mine]")
        seat = page.get_attribute(TABLE, "data-seat")
        seats.add(seat)
        before = page.get_attribute(TABLE, "data-revision")
        by_list(page, rng)
        until(page, f"{TABLE}:not([data-revision='{before}'])")
        until(page, f"{TABLE}[data-state=mine]")
        # Whoever ended his turn by mistake may still take that back, though the other looks now.
        if page.get_attribute(TABLE, "data-seat") != seat and page.locator("[data-undo]:not([disabled])").count():
            page.locator("[data-undo]").click()
            until(page, f"{TABLE}[data-seat='{seat}'][data-state=mine]")
            taken_back = True
            break
    assert taken_back
    assert seats == {"0", "1"}
    assert page.locator(SCREEN).count() == 0


@pytest.mark.parametrize("sound", [False, True])
def test_a_soft_sound_only_if_it_is_wanted(opened: Opener, sound: bool) -> None:
    page = opened(sound=sound)
    page.add_init_script("""
        window.tones = 0
        const make = AudioContext.prototype.createOscillator
        AudioContext.prototype.createOscillator = function () { window.tones++; return make.call(this) }
    """)
    made = make(page, seats=[{"kind": "person"}, {"kind": "bot", "bot": "greedy"}], seed=3)
    come(page, made, made["keys"][0])
    rng = random.Random(1)
    for _ in range(8):
        until(page, f"{TABLE}[data-state=mine]")
        before = page.get_attribute(TABLE, "data-revision")
        by_list(page, rng)
        until(page, f"{TABLE}:not([data-revision='{before}'])")
    until(page, f"{TABLE}[data-state=mine]")
    assert (page.evaluate("() => tones") > 0) == sound


# --- Several browsers


class Wire:
    """A line to the server that can be cut."""

    def __init__(self, server: str) -> None:
        self.target = (urlsplit(server).hostname or "", urlsplit(server).port or 0)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        self.whole = True
        self.ends: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listening.accept()
                if not self.whole:
                    near.close()
                    continue
                far = socket.create_connection(self.target)
                self.ends += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        with contextlib.suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)
        one.close()  # and the one who carries the other way closes the other end

    def cut(self) -> None:
        """Nothing goes through any more."""
        self.whole = False
        for end in self.ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self.ends.clear()

    def mend(self) -> None:
        """The line stands again."""
        self.whole = True

    def close(self) -> None:
        self.cut()
        self.listening.close()


class Later:
    """The server's time, which a test can move on."""

    def __init__(self) -> None:
        self.shift = 0

    def now(self) -> int:
        return time.time_ns() // 1_000_000 + self.shift


LATER = Later()


@pytest.fixture(scope="module")
def shifting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server at which a minute need not take a minute."""
    with serving(tmp_path_factory.mktemp("shifting"), now=LATER.now) as address:
        yield address


@pytest.fixture
def gathered(browser: Browser, shifting: str) -> Iterator[Opener]:
    """Opens pages of that server; cut lines may be reported, nothing else."""
    with opening(browser, shifting, expected=r"ERR_(CONNECTION|EMPTY|SOCKET)|WebSocket connection") as opener:
        yield opener


def make(page: Page, game: str = "druidenwalzer", seats: list[dict[str, str]] | None = None, **more: Any) -> dict[str, Any]:
    seats = seats or [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Bo"}]
    made: dict[str, Any] = page.request.post("/api/tables", data={"game": game, "seats": seats, **more}).json()
    return made


def come(page: Page, made: dict[str, Any], key: str, base: str = "") -> None:
    come_in(page, f"{base}/t/{made['table']}#{key}")


def revision(page: Page) -> int:
    return int(page.get_attribute(TABLE, "data-revision") or -1)


def level(pages: list[Page]) -> None:
    """Wait until everybody shows the newest revision."""
    newest = max(revision(page) for page in pages)
    for page in pages:
        page.wait_for_function(f"() => Number(document.querySelector('{TABLE}').dataset.revision) >= {newest}")


def play_on(players: list[Page], rng: random.Random, moves: int, others: list[Page] | None = None) -> bool:
    """So many moves by whoever's turn it is; whether the game is over."""
    for _ in range(moves):
        level([*players, *(others or [])])
        for page in players:
            until(page, f"{TABLE}:is([data-state=mine], [data-state=waiting], [data-state=over])")
        states = [page.get_attribute(TABLE, "data-state") for page in players]
        if "over" in states:
            return True
        if "mine" not in states:
            players[0].wait_for_timeout(30)
            continue
        mover = players[states.index("mine")]
        before = revision(mover)
        by_list(mover, rng)
        until(mover, f"{TABLE}:not([data-revision='{before}'])")
    return False


def mover_of(players: list[Page]) -> Page:
    """Who is on turn, once everybody has seen it."""
    for _ in range(200):
        level(players)
        movers = [page for page in players if page.get_attribute(TABLE, "data-state") == "mine"]
        if len(movers) == 1:
            return movers[0]
        players[0].wait_for_timeout(30)
    raise AssertionError("nobody is on turn")


def presence(page: Page, seat: int) -> Any:
    return page.locator(f"[data-sitter='{seat}']")


def test_an_online_game_with_all_that_happens(gathered: Opener) -> None:
    """Two browsers and a spectator: one reloads, one is cut off and played for by a bot, comes back, and the game ends.

    It is long because it is one game from its beginning to its end.
    """
    ada, bo, watcher = gathered(preview=False), gathered(preview=False), gathered()
    wire = Wire(gathered.server)
    try:
        made = make(ada, seed=5)
        come(ada, made, made["keys"][0])
        expect(presence(ada, 1)).to_have_attribute("data-word", "invited")
        come(bo, made, made["keys"][1], wire.address)
        heard: dict[str, list[dict[str, Any]]] = {"ada": [], "watcher": []}
        listen(watcher, heard["watcher"])
        listen(ada, heard["ada"])
        come(watcher, made, made["watch"])
        expect(presence(ada, 1)).to_have_attribute("data-presence", "here")
        assert watcher.locator("[data-resign], [data-undo], [data-undo-ask]").count() == 0
        rng = random.Random(6)
        assert not play_on([ada, bo], rng, 11, [watcher])
        mover = mover_of([ada, bo])
        for page in (ada, bo):
            assert page.title().startswith("● ") == (page is mover), "the title tells whose turn it is"
        level([ada, bo, watcher])
        expect(presence(watcher, 0 if mover is ada else 1)).to_have_attribute("data-word", "thinking")

        # One reloads: hand, story and revision are the same.
        hand, story, at = ada.locator("[data-part=hand]").inner_html(), ada.locator("[role=log] li").count(), revision(ada)
        ada.reload()
        until(ada, TABLE)
        level([ada, bo])
        assert (ada.locator("[data-part=hand]").inner_html(), ada.locator("[role=log] li").count(), revision(ada)) == (hand, story, at)

        # The other is cut off in the middle of his move: it waits, and is played when he is back.
        while mover_of([ada, bo]) is not bo:
            play_on([ada, bo], rng, 1)
        wire.cut()
        expect(bo.locator("[data-line-lost]")).to_be_visible()
        expect(presence(ada, 1)).to_have_attribute("data-word", "away")
        expect(presence(watcher, 1)).to_have_attribute("data-word", "away")
        before = revision(ada)
        by_list(bo, rng)
        assert revision(ada) == before
        wire.mend()
        expect(bo.locator("[data-line-lost]")).to_have_count(0)
        until(ada, f"{TABLE}:not([data-revision='{before}'])")
        level([ada, bo, watcher])
        expect(presence(ada, 1)).to_have_attribute("data-presence", "here")

        # Cut off for a minute: then a bot may be called, and not before.
        wire.cut()
        expect(presence(ada, 1)).to_have_attribute("data-presence", "away")
        ada.locator("[data-open=people]").click()
        ada.locator("[data-bot-for='1']").click()
        expect(ada.locator("[data-notice=not_away]")).to_be_visible()
        assert_accessible(ada, "people")
        LATER.shift += 61_000
        ada.locator("[data-bot-for='1']").click()
        expect(presence(ada, 1)).to_have_attribute("data-word", "bot")
        ada.keyboard.press("Escape")
        expect(ada.locator("[role=log]")).to_contain_text("Ada calls a bot to play for Bo")
        until(ada, f"{TABLE}[data-state=mine]")
        before = revision(ada)
        play_on([ada], rng, 1)
        wire.mend()
        bo.locator("[data-come-back]").click()
        expect(presence(ada, 1)).to_have_attribute("data-presence", "here")
        expect(bo.locator("[data-come-back]")).to_have_count(0)
        level([ada, bo])
        assert revision(bo) > before, "what happened meanwhile is there"
        assert play_on([ada, bo], rng, 400, [watcher])
        for page in (ada, bo, watcher):
            expect(page.locator("dialog[data-end]")).to_be_visible()
        assert watcher.locator("[data-rematch]").count() == 0
        stories = [page.locator("[role=log] h3").all_inner_texts() for page in (ada, watcher)]
        assert stories[0] == stories[1], "all were told the same turns"
        # Nobody was ever sent what only another may see.
        for name, hidden in (("ada", ["moon"]), ("watcher", ["sun", "moon"])):
            running = [message for message in heard[name] if "view" in message and message["result"] is None]
            assert len(running) > 10
            assert {card for message in running for side in hidden for card in message["view"]["hand"][side]} <= {None, "?"}
            assert all(message["secret"] is None for message in running)
            assert name == "ada" or all(message["legal"] == [] for message in running)
    finally:
        wire.close()


def test_undo_by_consent(gathered: Opener) -> None:
    ada, bo = gathered(preview=False), gathered(preview=False, theme="dark")
    made = make(ada, seed=4)
    come(ada, made, made["keys"][0])
    come(bo, made, made["keys"][1])
    rng = random.Random(2)
    play_on([ada, bo], rng, 9)
    for _ in range(30):
        other = mover_of([ada, bo])
        asker = bo if other is ada else ada
        if asker.locator("[data-undo-ask]:not([disabled])").count():
            break
        play_on([ada, bo], rng, 1)
    moves = other.locator("[data-list-move]").count()

    asker.locator("[data-undo-ask]").click()
    assert_accessible(asker, "asking")
    asker.locator("[data-undo-sure]").click()
    expect(asker.locator("[data-undo-pending]")).to_be_visible()
    expect(other.locator("[data-undo-asked]")).to_contain_text("stays known")
    assert other.title().startswith("● ")
    assert_accessible(other, "asked")
    other.locator("[data-undo-refuse]").click()
    for page in (asker, other):
        expect(page.locator("[role=log] li").last).to_contain_text("would rather not")
        expect(page.locator("[data-undo-pending], [data-undo-asked]")).to_have_count(0)
    assert other.locator("[data-list-move]").count() == moves, "nothing was taken back"

    asker.locator("[data-undo-ask]").click()
    asker.locator("[data-undo-sure]").click()
    other.locator("[data-undo-agree]").click()
    expect(asker.locator("[role=log] li").last).to_contain_text("What was seen stays known")
    until(asker, f"{TABLE}[data-state=mine]")
    until(other, f"{TABLE}[data-state=waiting]")
    for page in (asker, other):
        assert page.locator("[role=log] [data-undone]").count() > 0, "what was taken back looks it, in everybody's story"
    # Who comes anew hears the story as it counts now.
    turns = asker.locator("[role=log] h3").count()
    asker.reload()
    until(asker, f"{TABLE}[data-state=mine]")
    assert asker.locator("[role=log] h3").count() <= turns
    assert asker.locator("[role=log] [data-undone]").count() == 0
    assert not play_on([ada, bo], rng, 2)


def test_a_clock_runs_out(gathered: Opener) -> None:
    ada, bo = gathered(), gathered(PHONE)
    made = make(ada, clock={"kind": "move", "seconds": 6}, seed=1)
    come(ada, made, made["keys"][0])
    come(bo, made, made["keys"][1])
    rng = random.Random(1)
    running = ada.locator("time[data-runs]")
    for _ in range(8):
        play_on([ada, bo], rng, 1)
        if running.count():
            break
    expect(running).to_have_class(re.compile("low"))
    for page in (ada, bo):
        expect(page.locator("dialog[data-end=time]")).to_be_visible()
    titles = {page.locator("#end-title").inner_text() for page in (ada, bo)}
    assert "You have won!" in titles
    assert len(titles) == 2


def test_rematch_with_the_handicap_that_its_giver_chooses(gathered: Opener) -> None:
    ada, bo, watcher = gathered(), gathered(), gathered()
    made = make(ada)
    come(ada, made, made["keys"][0])
    come(bo, made, made["keys"][1])
    come(watcher, made, made["watch"])
    ada.locator("[data-resign]").click()
    ada.locator("[data-resign-sure]").click()
    expect(bo.locator("dialog[data-end=resigned]")).to_be_visible()
    expect(watcher.locator("dialog[data-end=resigned]")).to_be_visible()
    expect(watcher.locator("[data-ranked='0'] th")).to_have_text("Sun Ada")  # by seat and name, nobody's name twice
    assert watcher.locator("[data-watch-on]").count() == 0, "there is nothing to follow yet"
    ada.locator("[data-handicap]").check()
    assert ada.locator("[data-left-out]").count() == 0, "who has lost leaves nothing out"
    bo.locator("[data-handicap]").check()
    bo.locator("[data-left-out] input[value='2>']").check()
    assert_accessible(bo, "rematch")
    bo.locator("[data-rematch]").click()
    bo.wait_for_url(lambda url: made["table"] not in url)
    until(bo, TABLE)
    expect(bo.locator("[data-person='1'] [data-link]")).to_have_count(1)  # who asks first may hand the link on
    expect(ada.locator("[data-rematch-waits]")).to_be_visible()
    ada.locator("[data-rematch]").click()
    ada.wait_for_url(bo.url)
    until(ada, TABLE)
    watcher.locator("[data-watch-on]").click()
    watcher.wait_for_url(bo.url)
    until(watcher, TABLE)
    assert watcher.get_attribute(TABLE, "data-seat") is None, "who watched goes on watching"
    assert (bo.get_attribute(TABLE, "data-seat"), ada.get_attribute(TABLE, "data-seat")) == ("0", "1")
    shown = ada.request.get(f"/api/tables/{bo.url.rpartition('/')[2]}").json()
    assert (shown["options"]["handicap_sun"], shown["options"]["handicap_moon"]) == (["2>"], [])
    assert [seat["name"] for seat in shown["seats"]] == ["Bo", "Ada"]
    # The lobby leads to what is over.
    ada.goto("/")
    finished = ada.locator(f"[data-finished='{made['table']}']")
    expect(finished).to_have_attribute("href", f"/replay/{made['table']}#0-sun")
    expect(finished.locator("[data-how=lost]")).to_contain_text("Bo")
    assert_accessible(ada, "finished games")
    finished.click()
    until(ada, "main[data-replay]")


def test_the_link_of_another_seat_in_the_same_tab(gathered: Opener) -> None:
    page = gathered()
    made = make(page)
    come(page, made, made["keys"][0])
    assert page.get_attribute(TABLE, "data-seat") == "0"
    for key, seat in ((made["keys"][1], "1"), (made["keys"][0], "0"), (made["watch"], None)):
        page.evaluate("(hash) => { location.hash = hash }", key)
        until(page, f"{TABLE}[data-seat='{seat}']" if seat else f"{TABLE}:not([data-seat])")
        assert "#" not in page.url, "the key does not stay in the address line"
    # Other anchors are none of its business.
    page.evaluate("() => { location.hash = 'main' }")
    page.wait_for_timeout(300)
    expect(page.locator(TABLE)).to_have_count(1)


def test_links_codes_names_and_my_tables(gathered: Opener) -> None:
    """A guest comes by the link in the QR code, somebody takes the open seat, another device goes on, the lobby knows whose turn it is.

    It is long because it is one evening, and each who comes needs those before him.
    """
    host = gathered()
    host.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")  # as on plain http
    set_up(host, "celtica", ["here", "link", "open"], ["Ada", "", ""])
    until(host, TABLE)
    drawer = host.locator("main[data-state=gathering]")  # nothing is dealt before everybody has come
    expect(drawer.locator("[data-alone]")).to_contain_text("--host 0.0.0.0")
    expect(presence(host, 1)).to_have_attribute("data-word", "invited")
    person = drawer.locator("[data-person='1']")
    link = person.locator("[data-link]").input_value()
    assert link.startswith(f"{gathered.server}/t/")
    person.locator("[data-show-qr]").click()
    assert read_qr(person.locator("[data-qr]")) == link
    person.locator("[data-copy]").click()
    expect(person.locator("[role=status]")).to_have_text("Copied.")
    name = drawer.locator("[data-name]")
    name.fill("")
    name.press("Control+V")
    assert name.input_value() == link[:40]
    assert_accessible(host, "links")

    guest = gathered(PHONE, theme="dark", name="Bo")
    guest.goto(link)
    expect(guest.locator("[data-greeting=celtica] [data-by]")).to_contain_text("Ada")
    expect(guest.locator("[data-name]")).to_have_value("Bo")
    assert_accessible(guest, "greeting")
    expect(presence(host, 1)).to_have_attribute("data-word", "invited")
    guest.locator("[data-sit]").click()
    until(guest, TABLE)
    expect(host.locator("[data-arrived='1']")).to_contain_text("Bo")
    expect(presence(host, 1)).to_have_attribute("data-presence", "here")
    expect(person.locator("[data-part=who]")).to_contain_text("Bo")
    assert person.locator("[data-link]").count() == 0, "who is here needs no link"

    stranger = gathered(theme="dark")
    stranger.goto("/")
    stranger.locator("[data-name]").fill("Cy")
    stranger.locator("[data-name]").blur()
    assert_accessible(stranger, "lobby with free seats")
    stranger.locator("[data-take]").first.click()
    until(stranger, f"{TABLE}[data-seat='2']")
    expect(presence(host, 2)).to_contain_text("Cy")

    # A phrase is heard by all who play; who does not want to hear somebody, or anything, does not.
    stranger.locator("[data-open=talk]").click()
    stranger.locator("dialog[open] [data-mute-seat='1']").check()
    assert_accessible(stranger, "talking")
    guest.locator("[data-open=talk]").click()
    guest.locator("dialog[open] [data-phrase=nice]").click()
    for page in (host, guest):
        expect(page.locator("[data-said=nice]")).to_contain_text("Bo")
    host.keyboard.press("Escape")
    host.locator("[data-open=talk]").click()
    host.locator("dialog[open] [data-phrase=luck]").click()
    expect(stranger.locator("dialog[open] [data-kept=luck]")).to_contain_text("Ada")
    assert stranger.locator("[data-said=nice], [data-kept=nice]").count() == 0
    stranger.locator("dialog[open] [data-mute]").check()
    expect(stranger.locator("[data-said], [data-kept]")).to_have_count(0)
    stranger.keyboard.press("Escape")

    # Another device goes on at the host's seat; both stay.
    host.locator("[data-open=people]").click()
    drawer = host.locator("dialog[open]")
    drawer.locator("[data-person='0'] summary").click()
    own = drawer.locator("[data-person='0'] [data-link]").input_value()
    second = gathered(PHONE)
    second.goto(own)
    until(second, f"{TABLE}[data-seat='0']")
    host.keyboard.press("Escape")
    pages = [host, guest, stranger]
    mover = next(page for page in pages if page.get_attribute(TABLE, "data-state") == "mine")
    seat = pages.index(mover)
    if seat == 0:
        by_list(second, random.Random(1))
        level([host, second])
    mover.goto("/")
    expect(mover.locator("[data-my-turn]")).to_have_count(0 if seat == 0 and second.get_attribute(TABLE, "data-state") != "mine" else 1)
    for page in pages:
        if page is not mover:
            page.goto("/")
            page.locator("[data-continue]").first.wait_for()
    assert comes_true(
        lambda: sum(page.locator("[data-my-turn]").count() for page in pages) == 1, lambda s: pages[0].wait_for_timeout(1000 * s)
    )
    assert sum(page.title().startswith("(1) ") for page in pages) == 1


def test_nothing_sticks_out_beside_a_scrollbar(opened: Opener) -> None:
    """A phone's width less a classic scrollbar, in the language with the longest words."""
    page = opened({"width": 375, "height": 800}, language="de")
    for address in ("/", "/new/celtica"):
        page.goto(address)
        until(page, "h1")
        page.wait_for_load_state("networkidle")
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 375, address
        switch = page.locator("[data-theme-switch]").bounding_box()
        assert switch is not None
        assert switch["x"] + switch["width"] <= 375
    set_up(page, "celtica", ["here", "here", "here", "bot", "bot"], ["Ada", "Bo", "Cy"])
    until(page, SCREEN)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 375, "handover"
    take_over(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 375, "table"


def test_links_carry_the_public_address(browser: Browser, tmp_path: Any) -> None:
    with serving(tmp_path, public_url="https://druids.example/") as address, opening(browser, address) as opener:
        page = opener()
        set_up(page, "druidenwalzer", ["here", "link"], ["Ada", ""])
        until(page, TABLE)
        links = page.locator("main[data-state=gathering] [data-link]")
        assert links.first.input_value().startswith("https://druids.example/t/")
        assert page.locator("[data-alone]").count() == 0


def test_a_late_refusal_touches_nothing_newer(opened: Opener) -> None:
    """The answer to an old preview comes late, as a refusal: what is pointed at by now stays."""
    page = opened()
    late: list[str] = []

    def route(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def hear(text: Any) -> None:
            message = json.loads(text)
            if message["type"] == "previewed" and not late:
                late.append(message["id"])
                return
            line.send(text)
            if message["type"] == "previewed" and len(late) == 1:
                late.append("sent")
                line.send(json.dumps({"type": "refused", "id": late[0], "reason": {"code": "stale", "rule": None, "params": {}}}))

        server.on_message(hear)

    page.route_web_socket(re.compile("/play$"), route)
    made = make(page, seats=[{"kind": "person"}, {"kind": "bot", "bot": "greedy"}], seed=2)
    come(page, made, made["keys"][0])
    until(page, f"{TABLE}[data-state=mine]")
    page.mouse.move(3, 3)
    moves = page.locator("[data-list-move]")
    if moves.count() == 1:
        by_list(page, random.Random(1))
        until(page, f"{TABLE}[data-state=mine]")
    moves.nth(0).hover()
    assert comes_true(lambda: len(late) == 1, lambda seconds: page.wait_for_timeout(seconds * 1000))
    moves.nth(1).hover()
    wanted = moves.nth(1).get_attribute("data-list-move")
    expect(page.locator(f"[data-armed='{wanted}'] [data-ahead]")).to_be_attached()
    assert comes_true(lambda: late[1:] == ["sent"], lambda seconds: page.wait_for_timeout(seconds * 1000))
    page.wait_for_timeout(100)
    expect(page.locator(f"[data-armed='{wanted}']")).to_be_visible()
    assert page.locator("[data-part=bubble]").count() == 0
