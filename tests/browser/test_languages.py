"""Each language once through lobby, set-up, every table and the rules: its own words only, nothing cut off, readable by everybody."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterator, Sequence

import pytest
from playwright.sync_api import Page, expect

from drunemeton.locales import LANGUAGES, catalogue, say
from drunemeton.rules.game import playable

from .conftest import DESK, HOUSE, PHONE, Opener
from .hands import TABLE, by_list, play, state
from .test_pages import assert_accessible

# What every language calls alike: us, the languages by their own names, and what is a name or a format.
ALIKE = {"drunemeton", "english", "deutsch", "nederlands", "français", "toml", "json"}
# Moves as they are typed are the same in all languages, and so are no words of any.
TYPED = re.compile(r"\.(unreadable|no_such_part|no_such_druid)$")

# All that can be read or heard on the page or in its open dialog: text, labels, titles, hints. Code is the same in all languages.
READ = """() => {
  const pieces = [document.title]
  const root = document.querySelector('dialog[open]') ?? document.body
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement
    if (parent.closest('script, style, noscript, code, pre, [data-commitment], [data-secret], [data-hash]')) continue
    pieces.push(walker.currentNode.textContent)
  }
  for (const one of root.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) pieces.push(one.getAttribute(name) ?? '')
  return pieces.map(piece => piece.trim()).filter(Boolean)
}"""

# What the browser itself writes in the reader's language: the parts of dates and times.
DATES = """language => Array.from({ length: 24 }, (_, i) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }).format(new Date(2026, i % 12, 1 + i, i))
  + ' ' + new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(2026, i % 12, 1 + i)))"""

# What does not fit: the page wider than the window, or words that are wider than what holds them or stick out of the window.
CLIPPED = """() => {
  const found = []
  const width = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth > width) found.push(`the page: ${document.documentElement.scrollWidth} > ${width}`)
  const scrolls = one => one && (/auto|scroll/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement))
  const unseen = one => one && (getComputedStyle(one).clipPath === 'inset(50%)' || unseen(one.parentElement))
  const root = document.querySelector('dialog[open]') ?? document.body
  const words = 'button, a, label, legend, summary, select, h1, h2, h3, p, li, dt, dd, td, th, small, b, strong, span'
  for (const one of root.querySelectorAll(words)) {
    const style = getComputedStyle(one)
    if (!one.checkVisibility({ visibilityProperty: true }) || unseen(one)) continue
    if (one.closest('svg, pre, a[href="#main"]') || !one.textContent.trim()) continue
    const where = `${one.tagName.toLowerCase()}.${one.className} "${one.textContent.trim().slice(0, 50)}"`
    if (style.display !== 'inline' && !scrolls(one) && one.tagName !== 'SELECT') {
      if (one.scrollWidth > one.clientWidth + 1) found.push(`${where}: ${one.scrollWidth} > ${one.clientWidth} wide`)
      const low = one.tagName === 'BUTTON' && one.scrollHeight > one.clientHeight + 1
      if (low) found.push(`${where}: ${one.scrollHeight} > ${one.clientHeight} high`)
    }
    if (one.tagName === 'SELECT') {
      const pen = document.createElement('canvas').getContext('2d')
      pen.font = style.font
      const edges = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight) + 18 // with the arrow
      const needed = pen.measureText(one.selectedOptions[0]?.text ?? '').width + edges
      // What a narrow list cannot show, it shows when it is opened; that must not happen to short words.
      if (needed > one.clientWidth + 1 && needed < 200) found.push(`${where}: ${needed} > ${one.clientWidth} for the chosen one`)
    }
    const box = one.getBoundingClientRect()
    if (!scrolls(one) && (box.left < -1 || box.right > width + 1)) found.push(`${where}: from ${box.left} to ${box.right} of ${width}`)
  }
  return found
}"""


def words_of(text: str) -> set[str]:
    """The words of a text; commands and letters that stand for a card, a tree or a turn are none."""
    return set(re.findall(r"[^\W\d_]{3,}", re.sub(r"drunemeton [a-z]+ [A-Z]+", " ", text).lower()))


def vocabulary(language: str) -> set[str]:
    """Every word of a language's catalogue."""
    known = set(ALIKE)
    for key, entry in catalogue(language).items():
        if not TYPED.search(key):
            known |= words_of(entry if isinstance(entry, str) else " ".join(text for form, text in entry.items() if form != "plural"))
    return known


def rules_words(language: str, game: str) -> set[str]:
    """Every word of the rules' text, without code."""
    text = (HOUSE / "docs" / "rules" / language / f"{game}.md").read_text(encoding="utf-8")
    return words_of(re.sub(r"`[^`]*`|\]\([^)]*\)", " ", text))


class Reader:
    """Somebody who looks closely at every page, at a desk and on a phone, and says at the end what was wrong."""

    def __init__(self, page: Page, language: str) -> None:
        self.page, self.language = page, language
        self.known = vocabulary(language) | words_of(" ".join(page.evaluate(DATES, language)))
        self.wrong: list[str] = []

    def look(self, where: str, *, more: Collection[str] = (), sizes: Sequence[dict[str, int]] = (DESK, PHONE), axe: bool = False) -> None:
        """The page speaks this language and no other, and everything fits."""
        expect(self.page.locator("html")).to_have_attribute("lang", self.language)
        for size in sizes:
            self.page.set_viewport_size(size)  # type: ignore[arg-type]
            self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            width = size["width"]
            self.wrong += [f"{where}, {width}: {clipped}" for clipped in self.page.evaluate(CLIPPED)]
            for piece in self.page.evaluate(READ):
                if strange := words_of(piece) - self.known - set(more):
                    self.wrong.append(f"{where}, {width}: {sorted(strange)} in {piece!r}")
        if axe:
            assert_accessible(self.page, f"{where} in {self.language}")

    def close(self) -> None:
        """Nothing was wrong."""
        assert self.wrong == [], "\n".join(self.wrong)


def drawers(page: Page) -> Iterator[str]:
    """Open what can be opened at a table, one after another."""
    for name in ("settings", "fairness"):
        page.set_viewport_size(DESK)  # type: ignore[arg-type]
        page.locator(f"[data-open={name}]:visible").click()
        expect(page.locator("dialog[open]")).to_be_visible()
        yield name
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)


# The longest words and the most signs are read by every run of the suite; all four by `make proof`.
@pytest.mark.parametrize(
    "language", [language if language == "fr" else pytest.param(language, marks=pytest.mark.proof) for language in LANGUAGES]
)
def test_each_language_once_through_the_house(opened: Opener, language: str) -> None:
    page = opened(language=language)
    page.goto("/")
    page.wait_for_selector("[data-play]")
    reader = Reader(page, language)
    assert page.locator("[data-language]").input_value() == language
    expect(page.locator("[data-language] option")).to_have_count(len(LANGUAGES))
    heard = playable()[LANGUAGES.index(language) % len(playable())]  # every page is listened to in English elsewhere
    for game in playable():
        page.goto(f"/new/{game}")
        page.wait_for_selector("form")
        reader.look(f"set-up of {game}", axe=game == heard)
        page.goto(f"/rules/{game}")
        page.wait_for_selector("article p[id]")
        reader.look(f"rules of {game}", more=rules_words(language, game))
        page.set_viewport_size(DESK)  # type: ignore[arg-type]
        page.goto("/")
        page.locator(f"[data-play={game}]").click()
        page.wait_for_selector(TABLE)
        play(page, by_list, random.Random(7), turns=3)
        assert state(page) == "mine"
        reader.look(f"table of {game}", axe=game == heard)
        for drawer in drawers(page):
            reader.look(f"{drawer} of {game}")
        page.set_viewport_size(DESK)  # type: ignore[arg-type]
        page.locator("[data-resign]").click()
        reader.look(f"resigning {game}")
        page.locator("[data-resign-sure]").click()
        expect(page.locator("dialog[data-end]")).to_be_visible()
        reader.look(f"end of {game}")
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    page.goto("/")
    page.locator("[data-play=celtica]").click()
    page.wait_for_selector(TABLE)
    for address, name in (("/rules", "rules"), ("/replay", "replay"), ("/nowhere", "a page that is not there"), ("/", "lobby")):
        page.goto(address)
        page.wait_for_selector("h1" if address != "/" else "[data-continue]")
        reader.look(name, axe=address == "/")
    reader.close()


@pytest.mark.parametrize(
    "language", [pytest.param(language, marks=[] if language == "de" else pytest.mark.proof) for language in LANGUAGES]
)
def test_what_is_wrong_with_a_set_up_is_said_in_words(opened: Opener, language: str) -> None:
    page = opened(language=language)
    page.goto("/new/druidenwalzer")
    page.locator("[data-variants] summary").click()
    page.locator("#option-handicap_sun").fill("2< 9>")
    page.locator("[data-begin]").click()
    wrong = f"{say(language, 'web.option.druidenwalzer.handicap_sun')}: {say(language, 'problem.dw.no_card', card='9>')}"
    expect(page.locator("[data-part=problem]")).to_have_text(wrong.replace(":", "\u202f:", 1) if language == "fr" else wrong)
    opened.troubles.clear()  # the browser reports the 422


def test_a_language_is_chosen_and_kept(opened: Opener) -> None:
    """From one language to the next at the same table; the choice outlives the page."""
    page = opened(language="en")
    page.goto("/")
    page.locator("[data-play=druidenwalzer]").click()
    state(page)
    for language in ("fr", "nl", "de"):
        page.locator("[data-language]").select_option(language)
        expect(page.locator("html")).to_have_attribute("lang", language)
        before, after = say(language, "web.dw.ask.arrow").split("?")  # where the seat's name stands
        expect(page.locator("[data-part=status] [role=status]")).to_have_text(re.compile(f"^{re.escape(before)}\\w+{re.escape(after)}"))
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "de")
