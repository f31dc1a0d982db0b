"""Non-interference: change what a watcher cannot know, and nothing that reaches him may change.

`leaks(game, watcher, rng)` builds a twin of the game that differs exactly in what the watcher cannot know (hidden cards, the secret of the
shuffle, what other seats know) and answers the names of the channels through which he could tell the two apart. Any new way out of the
house is one more entry of CHANNELS.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Mapping
from typing import Any

from drunemeton.bots import ADVISER, make_bot
from drunemeton.bots.process import question
from drunemeton.locales import tell_event, tell_reason
from drunemeton.records.frames import frame
from drunemeton.rules.chance import Chance
from drunemeton.rules.game import Game, Step, sample
from drunemeton.rules.kernel import EV_SECRET, EV_WHO, Desk, seed
from drunemeton.rules.story import EventRow, told_to
from drunemeton.rules.teaching import advise, explain, reflect, things

Channel = Callable[[Game, int], Any]
NUMBER = 5  # of the bot's thinking


def twin_of(game: Game, watcher: int, rng: random.Random) -> Game:
    """A game that the watcher cannot tell from this one."""
    knowledge = game.knowledge  # asked for before copying: that brings spectators up to date
    twin = copy.copy(game)
    desk = Desk()
    seed(desk, rng.getrandbits(32), rng.getrandbits(32), 1)
    twin.state = type(game).state_type()
    sample(knowledge[watcher], desk, twin.state)
    twin.chance = Chance(rng.randbytes(32), game.chance.auditable)
    twin._known = {other: known.copy() for other, known in knowledge.items()}
    for other, known in twin._known.items():
        if other != watcher:
            known.assign(twin.state)
    twin.steps = [Step(step.seat, step.action, step.move, _swap_secrets(step.rows, watcher, rng)) for step in game.steps]
    return twin


def _swap_secrets(rows: list[EventRow], watcher: int, rng: random.Random) -> list[EventRow]:
    """The rows with every secret that the watcher was not told replaced by another."""
    hidden = [row[EV_SECRET] for row in rows if not row[EV_WHO] >> watcher & 1]
    rng.shuffle(hidden)
    swapped = []
    for row in rows:
        copied = list(row)
        if not row[EV_WHO] >> watcher & 1:
            copied[EV_SECRET] = hidden.pop()
        swapped.append(tuple(copied))
    return swapped


def _on_turn(game: Game, watcher: int) -> bool:
    return game.to_move == watcher


def _legal(game: Game, watcher: int) -> Any:
    return (game.actions(), game.legal()) if _on_turn(game, watcher) else None


def _reasons(game: Game, watcher: int) -> Any:
    if not _on_turn(game, watcher):
        return None
    reasons = [game.why_not(action) for action in range(min(game.action_count, 400))] + [
        game.why_not(text) for text in ("", "W 1<@1", "R 5>", "red 3")
    ]
    return [(reason, tell_reason("en", reason.code, reason.params)) if reason else None for reason in reasons]


def _log(game: Game, watcher: int) -> Any:
    return [tell_event("en", game.script.prefix, event) for event in game.events(watcher)]


def _events(game: Game, watcher: int) -> Any:
    return [told_to(step.rows, watcher) for step in game.steps]


def _preview(game: Game, watcher: int) -> Any:
    return [game.preview(move, samples=3) for move in game.legal()[:4]] if _on_turn(game, watcher) else None


def _bot(game: Game, watcher: int) -> Any:
    if not _on_turn(game, watcher):
        return None
    return [make_bot(type(game), name, plain=True).choose(game.knowledge[watcher], seed=NUMBER) for name in ("random", "greedy")]


def _coach(game: Game, watcher: int) -> Any:
    if watcher >= game.seats:
        return None
    return [(advise(game, watcher, alone=alone), reflect(game, watcher, alone=alone)) for alone in (True, False)]


CHANNELS: dict[str, Channel] = {
    "view": lambda game, watcher: json.dumps(game.view(watcher), sort_keys=True),
    "view with memory": lambda game, watcher: json.dumps(game.view(watcher, memory=True), sort_keys=True),
    "table in text": lambda game, watcher: game.draw(watcher),
    "legal moves": _legal,
    "reasons": _reasons,
    "log": _log,
    "events": _events,
    "because": lambda game, watcher: game.because(watcher),
    "replay": lambda game, watcher: [frame(game, watcher, number) for number in range(len(game.steps))],
    "preview": _preview,
    "about": lambda game, watcher: [(what, explain(game, watcher, what)) for what in things(game, watcher)],
    "coach": _coach,
    "again": lambda game, watcher: list(game.views(watcher, 0, len(game.steps) - 1)),
    "tally": lambda game, watcher: game.tally(),
    "rule": lambda game, watcher: game.rule_now(watcher),
    "undo": lambda game, watcher: game.can_undo(watcher),
    "bot": _bot,
    "hint": lambda game, watcher: question(game.name, ADVISER, game.knowledge[watcher], 1, "consider") if _on_turn(game, watcher) else None,
    "result": lambda game, watcher: (game.to_move, game.result),
}


def leaks(game: Game, watcher: int, rng: random.Random, channels: Mapping[str, Channel] = CHANNELS) -> list[str]:
    """The channels that tell the watcher something he cannot know."""
    twin = twin_of(game, watcher, rng)
    return [name for name, channel in channels.items() if repr(channel(game, watcher)) != repr(channel(twin, watcher))]
