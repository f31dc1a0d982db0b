"""A review: the account adds up, on what each seat knew, and says plainly where there is none."""

from __future__ import annotations

import functools
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from drunemeton import records
from drunemeton.appraisal import Depth, NoReview, Review, Reviewer, review
from drunemeton.appraisal.because import BAD, ENOUGH, GOOD, OTHERS, OWN, WORLDS, ByWorld, Explainer, Happened, about
from drunemeton.appraisal.moments import _chosen
from drunemeton.appraisal.played import CHANCE_WORLDS, PlayedGame, Trials
from drunemeton.appraisal.shape import Moment
from drunemeton.appraisal.thinking import Adviser, ReviewBot
from drunemeton.appraisal.value import Appraiser
from drunemeton.bots import make_bot
from drunemeton.cli import main
from drunemeton.locales import LANGUAGES, figure, say, tell_event
from drunemeton.rules.chance import Chance
from drunemeton.rules.game import Result, find_game, playable
from drunemeton.terminal.review import show_review

QUICK = Depth(simulations=24, deciding=48, worlds=4)


@functools.cache
def played(name: str, seats: int, until: int | None = None) -> str:
    """The record of a game between quick bots; with `until` somebody gives up after so many decisions."""
    kind = find_game(name)
    game = kind.new(seats=seats, chance=Chance.from_seed(seats))
    rng = random.Random(seats)
    bot = make_bot(kind, "greedy", plain=False)
    while game.to_move is not None and (until is None or len(game.steps) <= until):
        action = bot.choose(game.knowledge[game.to_move], seed=len(game.steps)) if rng.random() < 0.7 else rng.choice(game.actions())
        game.carry_out(action)
    return records.write(game, None if until is None else Result("resigned", (1, 2)))


@functools.cache
def told(name: str, seats: int, until: int | None = None) -> Review:
    return review(played(name, seats, until), depth=QUICK)


# A review takes its time: in `make test` of the smallest game, of the others in `make proof`.
SMALLEST = min(playable(), key=lambda name: find_game(name).action_count)
GAMES = [pytest.param(name, marks=() if name == SMALLEST else pytest.mark.proof) for name in playable()]
TABLES = [pytest.param(name, find_game(name).players[0], marks=() if name == SMALLEST else pytest.mark.proof) for name in playable()]
LARGE = [pytest.param(name, find_game(name).players[1], marks=pytest.mark.proof) for name in playable() if find_game(name).players[1] > 2]


@pytest.mark.parametrize(("name", "seats"), [*TABLES, *LARGE])
def test_the_account_adds_up(name: str, seats: int) -> None:
    found = told(name, seats)
    assert [line.seat for line in found.lines] == list(range(seats))
    for line in found.lines:
        assert line.start + line.own + line.others + line.luck + line.rest == pytest.approx(line.end)
        value = line.start
        for entry in line.entries:
            value += entry.own + entry.others + entry.luck + entry.rest
            assert entry.value == pytest.approx(value)
            assert entry.own <= 0
            assert 0 <= entry.value <= 1
        assert line.end == pytest.approx((1 / found.places.count(1)) if found.places[line.seat] == 1 else 0.0)
        assert line.decisions == sum(kind.count for kind in line.kinds.values())
    assert 3 <= len(found.moments) <= 5


@pytest.mark.parametrize(("name", "seats"), [*TABLES, *LARGE])
def test_the_graph_stands_beside_the_record(name: str, seats: int) -> None:
    found, record = told(name, seats), records.read(played(name, seats))
    assert [point.step for point in found.graph] == list(range(len(record.steps)))
    assert [decision.move for decision in found.decisions] == record.moves
    for point in found.graph:
        assert sum(point.values) == pytest.approx(1.0)
        assert (point.decided is not None) == point.chance
    for decision in found.decisions:
        assert decision.moves[0].move == decision.best
        assert decision.move in [one.move for one in decision.moves]
        assert (decision.given > 0) == (decision.move != decision.best)
        values = {one.move: one.value for one in decision.moves}
        if decision.given <= values[decision.best]:
            assert values[decision.best] - values[decision.move] == pytest.approx(decision.given)  # told alike wherever it is told
    for moment in found.moments:
        if moment.what == "mistake":
            values = {one.move: one.value for one in found.decisions[moment.step - 1].moves}
            decision = found.decisions[moment.step - 1]
            assert (values[decision.best], values[decision.move]) == pytest.approx((moment.before, moment.after))
    assert json.loads(json.dumps(found.describe()))["decisions"][0]["move"] == record.moves[0]


@pytest.mark.parametrize(("name", "seats"), [*TABLES, *LARGE])
def test_at_its_own_moments_a_seat_can_try_every_legal_move(name: str, seats: int) -> None:
    found = told(name, seats)
    own = [moment.step for moment in found.moments if found.decisions[moment.step - 1].seat == moment.seat]
    assert own
    for step in own:
        *_, before = records.plays(records.read(played(name, seats)), until=step - 1)
        told_of = found.decisions[step - 1].moves
        assert sorted(one.move for one in told_of) == sorted(before.legal())
        assert all(0 <= one.value <= told_of[0].value for one in told_of), "the best stays the best"


def test_luck_is_told_by_what_might_have_come_otherwise() -> None:
    game = PlayedGame(records.read(played("druidenwalzer", 2)))
    trials, told_of = Trials(game), 0
    for step in range(1, min(60, len(game.taken))):
        for seat in range(2):
            outcomes = trials.outcomes(step, seat, game.taken[step].action, CHANCE_WORLDS)
            if not trials.is_foreseen(step, seat, outcomes):
                kinds = {event["kind"] for event in trials.chance_in(step, seat)}
                assert not kinds & {"turn", "played"}, "that was sure"
                told_of += bool(kinds)
    assert told_of


def test_of_each_seat_something_is_told_if_there_is_room() -> None:
    great = [Moment(10 * n, 0, "mistake", -0.3, 0.5, 0.2, 10 * n - 1) for n in range(1, 7)]
    small = [Moment(5, 1, "mistake", -0.05, 0.5, 0.45, 4), Moment(10, 2, "luck", 0.2, 0.5, 0.7), Moment(15, 3, "luck", 0.02, 0.5, 0.52)]
    chosen = _chosen([*great, *small])
    assert chosen[:3] == great[:3], "the greatest decided it"
    assert [one.seat for one in chosen[3:]] == [1, 0], "what is next to nothing is not told, nor two of one step"


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_what_open_cards_would_have_said_is_told_apart(name: str, seats: int) -> None:
    """At a moment in which its seat decided and somebody held what others had not seen, and nowhere else."""
    found = told(name, seats)
    own = {moment.step for moment in found.moments if found.decisions[moment.step - 1].seat == moment.seat}
    held = {decision.step for decision in found.decisions if decision.had_known}
    assert held <= own
    assert not held if name == "daemonen" else held == own
    for step in held:
        known = found.decisions[step - 1].had_known
        assert known
        assert known.move in [one.move for one in found.decisions[step - 1].moves]


def test_a_review_can_be_repeated() -> None:
    name = SMALLEST
    assert review(played(name, 2), depth=QUICK, threads=1) == told(name, 2)


def test_a_first_graph_comes_without_an_account() -> None:
    name = SMALLEST
    first = Reviewer(records.read(played(name, 2))).first()
    assert not first.whole
    assert len(first.graph) == len(told(name, 2).graph)
    assert not first.lines


@pytest.mark.parametrize("name", GAMES)
def test_a_game_that_was_given_up_is_reviewed_up_to_there(name: str) -> None:
    found = told(name, 2, 20)
    assert found.end == "resigned"
    assert found.graph[-1].turn is not None
    assert 0 < found.lines[0].end < 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_terminal_tells_a_review_as_the_language_writes_it(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(SMALLEST, 2)
    show_review(found, language)
    said = capsys.readouterr().out
    assert said.count("\n") > 9 + 2 * len(found.lines)
    assert "?" not in said
    account = next(line for line in said.splitlines() if "%" in line)
    assert len(re.findall(r"\d\.\d" if language == "en" else r"\d,\d", account)) == 6
    assert figure(language, -0.04, "+.1f") == ("+0.0" if language == "en" else "+0,0")


def test_where_no_review_is_possible_that_is_said() -> None:
    name = SMALLEST
    text = played(name, 2)
    for problem, changed in {
        "running": text[: text.index("\nresult")] + "\n",
        "rules": text.replace("\nrules 1\n", "\nrules 99\n"),
        "left": played(name, 2, 1),
    }.items():
        with pytest.raises(NoReview) as refused:
            review(changed, depth=QUICK)
        assert refused.value.code == problem


def test_the_terminal_says_in_its_language_why_there_is_no_review(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    left = tmp_path / "left.txt"
    left.write_text(played(SMALLEST, 2, 1), encoding="utf-8")
    assert main(["review", str(left), "--lang", "de"])
    assert say("de", "review.no.left") in capsys.readouterr().err


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_terminal_says_in_its_language_what_is_wrong_with_a_record(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, text = tmp_path / "bad.txt", played(SMALLEST, 2, 8)
    for code, changed in {"beginning": "no record\n", "game": text.replace(f"game {SMALLEST}", "game chess")}.items():
        bad.write_text(changed, encoding="utf-8")
        assert main(["review", str(bad), "--lang", language])
        said = capsys.readouterr().err
        assert say(language, f"web.record.{code}", text="chess") in said
        assert say(language, "web.replay.line", line=1 if code == "beginning" else 2) in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_terminal_says_when_the_shuffles_are_not_those_of_the_secret(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The game is weighed as it stands: nobody can tell from it whether the cards lay so."""
    game = find_game(SMALLEST)(2, None, None, Chance(b"n" * 32))
    for _ in range(4):
        game.play(game.legal()[0])
    text, path = records.write(game, Result("resigned", (1, 2))), tmp_path / "record.txt"
    for secret, forged in ((b"n" * 32, False), (b"o" * 32, True)):
        path.write_text(text.replace((b"n" * 32).hex(), secret.hex()), encoding="utf-8")
        assert not main(["review", str(path), "--lang", language])
        assert (say(language, "reviews.forged") in capsys.readouterr().err) is forged


@pytest.mark.parametrize("name", GAMES)
def test_a_slip_is_told_with_reasons_in_the_games_own_events(name: str) -> None:
    """Whoever takes nothing where he could have taken something is told so, in every language."""
    reasons = [why for decision in told(name, 2).decisions for why in decision.better if decision.given]
    assert reasons
    for decision in told(name, 2).decisions:
        said = [about(json.dumps(why.event)) for why in decision.better]
        assert len(set(said)) == len(said), "two reasons differ in a count alone"
    for why in reasons:
        assert abs(why.share - why.instead) >= ENOUGH
        assert why.event is not None
        for language in LANGUAGES:
            prefix = find_game(name).script.prefix
            event = tell_event(language, prefix, why.event)
            assert event
            assert event in say(language, f"why.{why.code}", event=event)


def test_reasons_that_contradict_each_other_are_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = find_game("druidenwalzer")
    explainer = Explainer(kind)

    def seen(*events: dict[str, Any]) -> ByWorld:
        return {Happened(OWN, GOOD, json.dumps(event, sort_keys=True)): [event] * WORLDS for event in events}

    token, lost = {"kind": "token", "tree": "M1"}, {"kind": "tree_lost", "tree": "M3", "lost": 1}
    brought = {1: seen(token | {"tokens": 2}, lost), 2: seen(token | {"tokens": 3})}
    monkeypatch.setattr(explainer, "_brings", lambda knows, action, seed: brought[action])
    knows = explainer.engine.box(kind.knowledge_type())
    assert [why.event for why in explainer.why(knows, 1, 2, seed=1)] == [lost]
    brought[1] = seen(token | {"tokens": 2}, token | {"tokens": 1})
    brought[2] = seen()
    assert len(explainer.why(knows, 1, 2, seed=2)) == 1, "one thing, told once"


def test_a_reason_is_a_gain_of_the_better_move_or_a_loss_of_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the better move costs is no reason for it, nor what the other one gains; neither is that a move is made."""
    explainer = Explainer(find_game("druidenwalzer"))

    def lines(one: list[dict[str, Any]], two: list[dict[str, Any]]) -> list[tuple[str, str]]:
        def brings(knows: Any, action: int, seed: int) -> ByWorld:
            sides = explainer._sides(one if action == 1 else two, "sun", made=True)
            return {Happened(OWN, side, json.dumps(event, sort_keys=True)): [event] * WORLDS for side, event in sides}

        monkeypatch.setattr(explainer, "_brings", brings)
        monkeypatch.setattr(explainer, "_kept", None)
        knows = explainer.engine.box(explainer.game.knowledge_type())
        return [(why.code, (why.event or {}).get("tree", "")) for why in explainer.why(knows, 1, 2, seed=1)]

    token, dance = {"kind": "token", "tokens": 2}, {"kind": "danced", "card": "s5<", "from": "S1", "to": "S2"}
    assert lines([token | {"tree": "S1"}, token | {"tree": "M2"}], []) == [("wins", "M2")]
    assert lines([], [token | {"tree": "S1"}, token | {"tree": "M2"}]) == [("costs", "S1")]
    assert lines([token | {"tree": "M2"}], [token | {"tree": "S3"}, dance]) == [("wins", "M2"), ("costs", "S3"), ("costs", "")]
    assert lines([token | {"tree": "M2"}], [token | {"tree": "M3"}, dance]) == [("wins", "M2")], "the dance goes with a gain"
    assert lines([token | {"tree": "S1"}], []) == []
    assert lines([{"kind": "played"}, dance], []) == [("wins", "")], "something to see, where nothing is gained or lost"
    assert lines([dance], []) == [], "that it is made"


@pytest.mark.parametrize("name", playable())
def test_every_event_that_matters_says_whose_gain_it_is(name: str) -> None:
    """A seat's name, where it says so; and somebody gains or loses by most of them."""
    explainer, game = Explainer(find_game(name)), records.replay(records.read(played(name, 2)))
    said = [explainer._side(event, me) for event in game.events(0) if event["kind"] in explainer.matters for me in game.seat_names[:2]]
    assert said.count(GOOD) == said.count(BAD) > 0, "of two players one gains what the other loses"


def test_in_daemonen_another_place_is_no_other_reason() -> None:
    explainer = Explainer(find_game("daemonen"))
    settled = {"kind": "settled", "seat": "red", "paid": 0}
    here, there = ({Happened(OTHERS, BAD, json.dumps(settled)): [settled | {"cell": cell}] * WORLDS} for cell in ("1,2", "2,1"))
    assert explainer._differ(here, there) == []
    again = here | {Happened(OTHERS, BAD, json.dumps(settled), 2): [settled | {"cell": "2,1"}] * WORLDS}
    assert [each.event["cell"] for each in explainer._differ(here, again)] == ["2,1"]


def test_a_hint_has_reasons_in_the_games_own_events() -> None:
    kind = find_game(SMALLEST)
    game = kind.new(chance=Chance.from_seed(3))
    bot, adviser, codes = ReviewBot(kind), Adviser(kind), set[str]()
    for _ in range(10):
        assert game.to_move is not None
        knows = game.known_to(game.to_move)
        considered = adviser.consider(knows, seed=1)
        other = considered[-1].action if len(considered) > 1 else None
        for why in bot.review(("", "why", (knows, considered[0].action, other)), seed=1)["why"]:
            codes.add(why["code"])
            for language in LANGUAGES:
                event = tell_event(language, kind.script.prefix, why["event"])
                assert event
                assert event in say(language, f"why.{why['code']}", event=event)
        game.carry_out(considered[0].action)
    assert codes
    assert codes <= {"wins", "threatens", "saves"}


def test_an_adviser_is_compiled_before_its_time_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    answer = Appraiser.moves

    def moves(self: Appraiser, knows: Any, *, seed: int) -> Any:
        asked.append(seed)
        return answer(self, knows, seed=seed)

    monkeypatch.setattr(Appraiser, "moves", moves)
    Adviser(find_game(SMALLEST))
    assert asked
