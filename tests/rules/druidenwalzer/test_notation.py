"""Words in any position that can be reached: moves and refusals."""

from __future__ import annotations

import random
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from drunemeton.locales import available, catalogue, tell_reason
from drunemeton.rules.druidenwalzer import Druidenwalzer
from drunemeton.rules.druidenwalzer.state import ACTIONS
from drunemeton.rules.errors import Reason
from tests.rules.test_numbers import numbered

from .games import random_setup
from .positions import position

calmly = settings(max_examples=60, deadline=None, derandomize=True, database=None)
LANGUAGES = ("en", "de")


@st.composite
def reached(draw: st.DrawFn) -> Druidenwalzer:
    """A game with random options after a random number of random moves."""
    seed = draw(st.integers(0, 10_000))
    rng = random.Random(seed)
    options, components = random_setup(rng)
    game = Druidenwalzer.new(seed=seed, options=options, components=components)
    for _ in range(draw(st.integers(0, 50))):
        if game.over:
            break
        game.play(rng.choice(game.actions()))
    return game


def check_reason(reason: Reason | None) -> None:
    """A refusal names a rule that exists, and both catalogues have words for it with no parameter left over."""
    assert reason is not None
    assert reason.rule in numbered("druidenwalzer") or reason.code == "over"
    for language in LANGUAGES:
        entry = catalogue(language).get(f"reason.{reason.code}")
        assert entry is not None, f"no words for {reason.code} in {language}"
        sentences = entry.values() if isinstance(entry, dict) else [entry]
        wanted = {name for sentence in sentences for name in re.findall(r"\{(\w+)\}", sentence)}
        assert wanted <= reason.params.keys(), f"{reason.code} in {language} wants {wanted}, given are {set(reason.params)}"
        assert "{" not in tell_reason(language, reason.code, reason.params)
        assert "?" not in tell_reason(language, reason.code, reason.params)


@calmly
@given(reached())
def test_legal_moves_come_back_from_their_text(game: Druidenwalzer) -> None:
    """DW-10.3: every legal move has a text of its own, which means that move."""
    written = game.legal()
    assert len(set(written)) == len(written)
    for action, text in zip(game.actions(), written, strict=True):
        assert Druidenwalzer.parse_move(game.state, text) == action
        assert Druidenwalzer.parse_move(game.state, f"  {text.upper()} ") == action
        assert Druidenwalzer.parse_move(game.state, text.replace(" ", "")) == action
        assert game.why_not(text) is None
        assert game.why_not(action) is None


@calmly
@given(reached())
def test_every_other_action_is_refused_with_a_reason(game: Druidenwalzer) -> None:
    """DW-10.2: whatever number is tried."""
    legal = set(game.actions())
    for action in (*range(-4, ACTIONS + 4), -1000, 1 << 40):
        if action not in legal:
            check_reason(game.why_not(action))


@calmly
@given(reached(), st.text(max_size=12) | st.from_regex(r"[wrjcWRJC]? ?[sm]?[0-9]?[<>]? ?@? ?[0-9]?", fullmatch=True))
def test_garbage_gets_a_reason(game: Druidenwalzer, text: str) -> None:
    """DW-10.3: no text raises anything; it is a legal move or it is refused."""
    reason = game.why_not(text)
    if reason is None:
        action = Druidenwalzer.parse_move(game.state, text)
        assert isinstance(action, int)
        assert action in game.actions()
    else:
        check_reason(reason)


def test_reasons_are_the_same_in_every_language() -> None:
    """The catalogues have the same refusals, with the same parameters."""
    assert set(LANGUAGES) <= set(available())
    for key in {key for language in LANGUAGES for key in catalogue(language) if key.startswith("reason.dw.")}:
        wanted = {tuple(sorted(re.findall(r"\{(\w+)\}", str(catalogue(language)[key])))) for language in LANGUAGES}
        assert len(wanted) == 1, key


def test_a_retreat_from_a_lost_tree_is_refused_as_one() -> None:
    """DW-3.1: the refusal is about taking a card, not about playing one."""
    reason = position(lost="S2", hands={"sun": "s1<"}).why_not("R @2")
    check_reason(reason)
    assert reason is not None
    assert reason.rule != "DW-4.1"
