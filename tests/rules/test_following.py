"""What a result is made of, and the rule that matters now: both are told to everybody, so they come from what everybody knows."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from drunemeton.rules.game import Game, find_game
from drunemeton.rules.kernel import SPECTATOR
from drunemeton.rules.story import Share

RULES = Path(__file__).parents[2] / "docs" / "rules" / "en"
GAMES = ("druidenwalzer", "celtica", "daemonen")


def played(name: str, seats: int, *, turns: int = 10**6) -> tuple[Game, set[str]]:
    """A random game, and every rule that was named on the way to each watcher."""
    game = find_game(name).new(seats=seats, seed=3, options={"draw_after": 20} if name == "druidenwalzer" else {})
    rng, rules = random.Random(1), set()
    for _ in range(turns):
        named = {game.rule_now(watcher) for watcher in game.watchers}
        assert len(named) == 1, "the rule is the same for everybody"
        rules |= {str(rule) for rule in named}
        if game.over:
            break
        game.play(rng.choice(game.legal()))
    return game, rules


def of(shares: list[Share], code: str) -> Share:
    return next(one for one in shares if one["code"] == code)


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_that_is_named_stands_in_the_rules(name: str) -> None:
    game, rules = played(name, 2, turns=600)
    numbers = set(re.findall(r"^\*\*([A-Z]{2}-[\d.]+)\*\*", (RULES / f"{name}.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert rules <= numbers
    assert game.following is not None
    assert set(game.following.RULES) <= numbers


@pytest.mark.parametrize(("name", "seats"), [("druidenwalzer", 2), ("celtica", 4)])
def test_the_first_shares_are_what_decides(name: str, seats: int) -> None:
    game, _ = played(name, seats)
    assert game.result is not None
    tally = game.tally()["seats"]
    assert len(tally) == seats
    counts = [[share["count"] for share in shares[:2]] for shares in tally]
    assert game.result.end == "draw" or max(counts) == counts[game.result.winners[0]]


def test_druidenwalzer_counts_contests_and_tokens() -> None:
    game, _ = played("druidenwalzer", 2)
    sun, moon = game.tally()["seats"]
    events = game.events(SPECTATOR)
    met = [event for event in events if event["kind"] == "met"]
    assert of(sun, "contests")["of"] == of(moon, "contests")["of"] == len(met)
    assert of(sun, "contests")["count"] == sum(event["sun"] > event["moon"] for event in met)
    assert of(moon, "contests")["count"] == sum(event["moon"] > event["sun"] for event in met)


def test_each_game_counts_what_happened() -> None:
    """Turns, dances and captures, as everybody was told them."""
    for name, code, kind in (
        ("druidenwalzer", "turns", "turn"),
        ("druidenwalzer", "dances", "danced"),
        ("celtica", "turns", "played"),
    ):
        game, _ = played(name, 2)
        assert of(game.tally()["game"], code)["count"] == sum(event["kind"] == kind for event in game.events(SPECTATOR)) > 0
    game, _ = played("daemonen", 2)
    captured = [event["seat"] for event in game.events(SPECTATOR) if event["kind"] == "captured"]
    assert [of(shares, "captured")["count"] for shares in game.tally()["seats"]] == [
        captured.count(seat) for seat in game.seat_names[: game.seats]
    ]
    assert captured


def test_celtica_counts_amulets_as_they_are_ranked() -> None:
    game, _ = played("celtica", 4)
    ranked = {event["seat"]: event for event in game.events(SPECTATOR) if event["kind"] == "ranked"}
    for seat, shares in zip(game.seat_names, game.tally()["seats"], strict=False):
        assert of(shares, "amulets")["count"] == ranked[seat]["complete"]
        assert of(shares, "next")["count"] == ranked[seat]["largest"]


def test_daemonen_counts_points_by_what_they_are_made_of() -> None:
    game, _ = played("daemonen", 3, turns=900)
    for seat, shares in enumerate(game.tally()["seats"]):
        assert shares[0]["count"] == game.state.points[seat] == sum(one["points"] or 0 for one in shares)
    assert sum(shares[0]["count"] for shares in game.tally()["seats"]) > 0
