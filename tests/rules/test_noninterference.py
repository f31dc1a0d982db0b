"""What a watcher cannot know does not reach him, by any channel; and the suite would notice if it did."""

from __future__ import annotations

import random
from typing import Any

import pytest

from drunemeton.bots import ADVISER
from drunemeton.bots.process import question
from drunemeton.records.frames import frame
from drunemeton.rules.because import Because
from drunemeton.rules.druidenwalzer import Druidenwalzer, coach, following
from drunemeton.rules.druidenwalzer.story import DRAWN
from drunemeton.rules.game import Game, find_game, playable, sample
from drunemeton.rules.kernel import EV_KIND, EV_SECRET, EVERYBODY, SPECTATOR, Desk
from drunemeton.rules.story import share, told_to
from drunemeton.rules.teaching import Situation, explain, things
from tests.noninterference import CHANNELS, leaks
from tests.rules.druidenwalzer.games import random_setup


def positions(name: str, number: int) -> Game:
    """A game somewhere in the middle."""
    rng = random.Random(number)
    game_type = find_game(name)
    options: dict[str, Any] | None = None
    components: dict[str, Any] | None = None
    if name == "druidenwalzer" and number % 2:
        options, components = random_setup(rng)
    low, high = game_type.players
    game = game_type.new(seats=rng.randint(low, high), seed=number, options=options, components=components)
    for _ in range(rng.randint(0, 60)):
        if game.over:
            break
        game.play(rng.choice(game.actions()))
    return game


@pytest.mark.parametrize("name", playable())
def test_nothing_reaches_a_watcher_that_he_cannot_know(name: str) -> None:
    for number in range(14):
        game = positions(name, number)
        for watcher in game.watchers:
            assert leaks(game, watcher, random.Random(number)) == [], f"{name} {number}, watcher {watcher}"


def game_with_secrets() -> Game:
    game = Druidenwalzer.new(seed=2)
    for move in ["1<", "1<", "orange@1", "purple@2", "black@3", "orange@1", "purple@2", "black@3"]:
        game.play(move)
    return game


def other_hand(game: Game) -> str:
    return str(game.state.hand[0])


# For every channel a leak of Sun's hand to Moon, as it might creep in: through the state, through another seat's knowledge, through
# events told to the wrong seat, through a bot or a preview that looks at the truth.
PLANTED: dict[str, Any] = {
    "view": lambda game, watcher: {**game.view(watcher), "debug": game.state.hand},
    "view with memory": lambda game, watcher: game.view_of(game.knowledge[0], watcher, True),
    "table in text": lambda game, watcher: game.draw(watcher) + other_hand(game),
    "legal moves": lambda game, watcher: sorted(game.legal(), key=lambda move: hash((move, other_hand(game)))),
    "reasons": lambda game, watcher: [f"your opponent holds {game.state.hand[0][0]}"],
    "log": lambda game, watcher: game.events(0),
    "events": lambda game, watcher: [[[*row[:1], EVERYBODY, *row[2:]] for row in step.rows] for step in game.steps],
    "because": lambda game, watcher: told_wrongly(game),
    "replay": lambda game, watcher: [frame(game, 0, number) for number in range(len(game.steps))],
    "preview": lambda game, watcher: truth_told(game, "W 2<@1"),
    "about": lambda game, watcher: [explain(game, 0, what) for what in things(game, 0)],
    "coach": lambda game, watcher: coached_wrongly(game),
    "again": lambda game, watcher: [*game.views(watcher, 0, 1), game.view(0)],
    "tally": lambda game, watcher: [share("cards", sum(hand)) for hand in game.state.hand],
    "rule": lambda game, watcher: following.RULES[game.state.hand[0][0] % len(following.RULES)],
    "undo": lambda game, watcher: game.can_undo(watcher) or game.state.hand[0][0] % 2,
    "hint": lambda game, watcher: question(game.name, ADVISER, game.knowledge[0], 1, "consider"),
    "bot": lambda game, watcher: max(game.actions(), key=lambda action: action * sum(game.state.hand[0]) % 7),
    "result": lambda game, watcher: (game.to_move, sum(game.state.pile[0])),
}


def told_wrongly(game: Game) -> Any:
    """Reasons from the rows as they are, before anything is blanked for who may not see it."""
    rows = [row for step in game.steps for row in step.rows]
    return [Because(at, "dw.hand_empty", {"card": row[EV_SECRET]}, False) for at, row in enumerate(rows) if row[EV_KIND] == DRAWN]


def coached_wrongly(game: Game) -> Any:
    """What a coach would say of Moon's decision if he saw Sun's cards."""
    seen = Situation(game.view(0), "moon", [f"W {card}@1" for card in game.view(0)["hand"]["sun"]], lambda move: [], True)
    return list(coach.before(seen))


def truth_told(game: Game, move: str) -> Any:
    from drunemeton.rules.game import apply

    state, desk = game.state.copy(), Desk()
    desk.listening = 1
    desk.rng = [1, 2, 3, 4]
    apply(state, desk, game.actions()[0])
    return told_to(desk.events[: desk.told], 1)


@pytest.mark.parametrize("channel", sorted(CHANNELS))
def test_a_planted_leak_is_found(channel: str) -> None:
    game = game_with_secrets()
    found = [leaks(game, 1, random.Random(number), {channel: PLANTED[channel]}) for number in range(8)]
    assert [channel] in found


def test_the_sampler_does_not_return_the_truth() -> None:
    """A sampler that hands back the true state would pass every test of equal views."""
    game = game_with_secrets()
    hands = set()
    desk = Desk()
    desk.rng = [1, 2, 3, 4]
    for _ in range(200):
        world = Druidenwalzer.state_type()
        sample(game.knowledge[1], desk, world)
        hands.add(tuple(world.hand[0]))  # type: ignore[attr-defined]
    assert len(hands) > 50


def test_a_spectator_is_told_no_hand() -> None:
    game = game_with_secrets()
    assert game.view(SPECTATOR)["hand"] == {"sun": ["?"] * 3, "moon": ["?"] * 3}
    assert all(event["card"] is None for event in game.events(SPECTATOR) if event["kind"] == "drawn")
