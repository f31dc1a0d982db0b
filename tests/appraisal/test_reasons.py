"""What people are told of reasons: what says nothing is left out, a slight one comes where there is no other, and none is said plainly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from drunemeton import records
from drunemeton.appraisal import because
from drunemeton.appraisal.reasons import Reasons
from drunemeton.appraisal.shape import Decision, Moment, Point, Review, Thought, Why
from drunemeton.locales import LANGUAGES, catalogue, say, tell_event
from drunemeton.rules.game import find_game, playable
from drunemeton.terminal.review import show_review

RELEASED = Path(__file__).parent.parent / "records" / "released"


def answering(monkeypatch: pytest.MonkeyPatch, weighty: list[Why], slight: list[Why]) -> None:
    """Let what is found be this, by whether the weighty events or the slight ones are looked for."""

    def why(explainer: because.Explainer, knows: Any, better: int, other: int | None, *, seed: int, most: int) -> tuple[Why, ...]:
        return tuple((slight if explainer.matters == ("dealt",) else weighty)[:most])

    monkeypatch.setattr(because.Explainer, "why", why)


def test_what_says_nothing_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen, placed = ({"kind": kind, "seat": "red"} for kind in ("chosen", "settled"))
    answering(monkeypatch, [Why("threatens", chosen)] * because.SAID + [Why("wins", placed)] * (because.SAID + 1), [])
    told = Reasons(find_game("daemonen")).why(None, 1, 2, seed=1)
    assert [why.event for why in told] == [placed] * because.SAID, "it takes no other reason's place"


def test_a_slight_reason_is_told_where_there_is_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    taken, dealt = {"kind": "taken", "seat": "ulster", "part": "sun"}, {"kind": "dealt", "seat": "ulster", "deck": "druid", "card": "red"}
    reasons = Reasons(find_game("celtica"))
    answering(monkeypatch, [Why("wins", taken)], [Why("wins", dealt)])
    assert [why.event for why in reasons.why(None, 1, 2, seed=1)] == [taken]
    answering(monkeypatch, [], [Why("wins", dealt)])
    assert [why.event for why in reasons.why(None, 1, 2, seed=1)] == [dealt | {"card": None}], "it is another card in every world"
    assert reasons.why(None, 1, None, seed=1) == (), "beside nothing, a card that is drawn is no reason"


def test_whoever_may_draw_and_does_not_is_told_that_he_draws_nothing() -> None:
    text = (RELEASED / "celtica-2026-11-two.txt").read_text(encoding="utf-8")
    game = records.replay(records.read(text))
    kind, reasons = type(game), Reasons(type(game))
    step = next(n for n, step in enumerate(game.steps) if step.move in ("draw", "no"))
    *_, before = records.plays(records.read(text), until=step - 1)
    assert before.to_move is not None
    moves = dict(zip(before.legal(), before.actions(), strict=True))
    assert set(moves) == {"draw", "no"}
    told = reasons.why(reasons.box(before.knowledge[before.to_move]), moves["draw"], moves["no"], seed=1)
    assert [(why.code, (why.event or {})["kind"]) for why in told] == [("wins", "dealt")]
    for language in LANGUAGES:
        said = tell_event(language, kind.script.prefix, told[0].event or {})
        assert said
        assert "None" not in said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", playable())
def test_the_terminal_says_that_a_game_was_left_and_tells_no_turn_as_luck(
    game: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    names, points = find_game(game).seat_names[:2], (Point(0, None, 0, (0.5, 0.5), 0.0),)
    turn = {"kind": "turn", "seat": names[1], "must_fill": []}
    moments = (Moment(0, 0, "luck", -0.2, 0.5, 0.3, None, (turn,)),)
    told = {}
    for end in ("any", "resigned", "time"):
        show_review(Review(game, 2, names, end, (2, 1), True, points, (), (), moments), language)
        told[end] = capsys.readouterr().out.splitlines()
    for end in ("resigned", "time"):
        assert [line for line in told[end] if line and line not in told["any"]] == [say(language, f"reviews.left.{end}")]
    assert not told["any"][-1].startswith("     "), told["any"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", playable())
def test_the_terminal_says_whose_move_brings_what_and_when_nothing_does(
    game: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """ "It" might be the other move; a moment without a reason says so; open cards that would not have helped are not praised."""
    event = {"kind": "ended", "how": "", "winner": None}
    codes = ("wins", "costs")
    decisions = [
        Decision(n, 0, "any", "a", "b", 0.2, 0.0, 0.2, (), better, Thought("c", worth, 0.0))
        for n, (better, worth) in enumerate([(tuple(Why(code, event) for code in codes), 0.7), ((), 0.001)])
    ]
    moments = tuple(Moment(n, 0, "mistake", -0.2, 0.5, 0.3, n) for n in range(2))
    names = find_game(game).seat_names[:2]
    points = (Point(0, None, 0, (0.5, 0.5), 0.0),)
    show_review(Review(game, 2, names, "any", (2, 1), True, points, (), tuple(decisions), moments), language)
    told = capsys.readouterr().out.splitlines()
    intro = {"wins": say(language, "reviews.why.wins"), "costs": say(language, "why.costs", event="").strip()}
    for code in codes:
        assert any(line.strip().startswith(intro[code]) for line in told), code
    assert "     " + say(language, "review.without_why", points="20") in told
    assert "     " + say(language, "review.had_known", move="c", value="70") in told
    assert "     " + say(language, "review.had_known.lost") in told
    assert "reviews.why.wins" in catalogue(language)
