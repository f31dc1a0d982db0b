"""The pictures for README and docs: `make screenshots`. `--all FOLDER` takes every page in every size, theme and language, to look at."""

from __future__ import annotations

import contextlib
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HOUSE = Path(__file__).parent.parent.parent
sys.path.insert(0, str(HOUSE))

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright  # noqa: E402

from drunemeton.bots import make_bot  # noqa: E402
from drunemeton.client import Client, make_table  # noqa: E402
from drunemeton.rules.game import find_game, playable  # noqa: E402
from tests.browser.find_browser import ARGS, find_browser  # noqa: E402
from tests.browser.hands import TABLE, state  # noqa: E402
from tests.browser.serving import serving  # noqa: E402

SIZES = {"desk": (1440, 900), "laptop": (1366, 657), "phone": (390, 844)}
THEMES = {"day": "light", "night": "dark"}
LANGUAGES = ("en", "de")
SEED = 11
# How far a game has come when its picture is taken: something has happened, and nothing is decided.
MOVES = {"druidenwalzer": 20, "celtica": 30, "daemonen": 160}
PICTURES = [("desk", "day", "en"), ("desk", "night", "de"), ("phone", "day", "de"), ("phone", "night", "en")]


@contextlib.contextmanager
def table_of(address: str, name: str) -> Iterator[str]:
    """The link to the first seat of a table in the middle of a game, the same every time; the others stay connected meanwhile."""
    game_type = find_game(name)
    game = game_type.new(seed=SEED)
    bot, rng = make_bot(game_type, "greedy", plain=True), random.Random(SEED)
    people = ["Ada", "Bo", "Cy", "Di", "Ed"][: game.seats]
    made = make_table(address, name, [{"kind": "person", "name": person} for person in people], seed=SEED)
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(Client.join(link)) for link in made["links"]]
        reached = len(clients)  # everybody has entered
        while game.to_move is not None and (len(game.steps) <= MOVES.get(name, 20) or game.to_move != 0):
            seat = game.to_move
            action = bot.choose(game.knowledge[seat], seed=rng.getrandbits(32))
            move = next(text for text, offered in game.offered().items() if offered == action)
            while clients[seat].state["revision"] < reached:
                clients[seat].receive()
            reached = clients[seat].play(move)
            game.play(move)
        yield made["links"][0]


def opened(browser: Browser, address: str, size: str, theme: str, language: str) -> BrowserContext:
    """A browser of this size, by day or by night, in a language."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=THEMES[theme],  # type: ignore[arg-type]
        locale=language,
        base_url=address,
        has_touch=size == "phone",
        is_mobile=size == "phone",
        reduced_motion="reduce",
    )
    context.add_init_script('localStorage["drunemeton.settings"] ??= JSON.stringify({speed: 0})')
    return context


def take(browser: Browser, address: str, folder: Path, kind: tuple[str, str, str], links: dict[str, str], every: bool) -> None:
    """All pictures of one size, theme and language."""
    size = kind[0]
    context = opened(browser, address, *kind)
    page = context.new_page()

    def shoot(name: str) -> None:
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(250)
        page.screenshot(path=folder / f"{'-'.join((name, *kind))}.png")

    page.goto("/")
    page.wait_for_selector("[data-play]")
    shoot("lobby")
    for name, link in links.items():
        if every:
            for what, path in (("setup", f"/new/{name}"), ("rules", f"/rules/{name}")):
                page.goto(path)
                page.wait_for_selector("h1")
                shoot(f"{what}-{name}")
        page.goto(link)
        page.wait_for_selector(TABLE)
        assert state(page) == "mine"
        if size != "phone":
            _look_ahead(page)
        shoot(name)
        page.mouse.move(3, 3)
        if every:
            page.locator("[data-open=settings]:visible").first.click()
            shoot(f"settings-{name}")
            page.keyboard.press("Escape")
    context.close()


def _look_ahead(page: Page) -> None:
    """A move that the mouse points at, with what it would bring."""
    move = page.locator("[data-list-move]:visible")
    if move.count():
        move.first.hover()


def main(words: list[str]) -> int:
    """Take the pictures."""
    every = "--all" in words
    folder = Path(words[words.index("--all") + 1]) if every else HOUSE / "docs" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [(size, theme, language) for size in SIZES for theme in THEMES for language in LANGUAGES] if every else PICTURES
    with contextlib.ExitStack() as stack:
        address = stack.enter_context(serving(Path(stack.enter_context(tempfile.TemporaryDirectory()))))
        links = {name: stack.enter_context(table_of(address, name)) for name in playable()}
        player = stack.enter_context(sync_playwright())
        browser = player.chromium.launch(executable_path=find_browser(), args=ARGS)
        for kind in wanted:
            take(browser, address, folder, kind, links, every)
            print(*kind, flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
