"""Recorded games in the terminal."""

from __future__ import annotations

from .. import records
from ..locales import say, tell_event, tell_story
from ..records.frames import frame, watcher_of
from ..rules.errors import GameError
from ..rules.game import find_game
from ..rules.kernel import OPEN


def show_record(record: records.GameRecord, language: str, name: str = "open") -> None:
    """What a record says, in words; a finished game needs no rules for that, and its events are told with all cards open."""
    if name != "open":
        eyes_of(record, name)
        raise GameError("a whole record is told with all cards open; with --move N the table is shown through somebody's eyes")
    script = find_game(record.game).script
    print(say(language, "term.record", game=record.game, seats=record.seats, moves=len(record.moves)))
    changed = {k: v for k, v in record.options.items() if v not in ([], False)}
    print(say(language, "term.options", options=", ".join(f"{name} {value}" for name, value in changed.items())))
    for number, step in enumerate(record.steps):
        print(f"{number}. {step.seat} {step.move}".rstrip(". ") if number else say(language, "term.set_up"))
        for event in step.told:
            line = tell_event(language, script.prefix, event)
            if line:
                print(f"    {line}")
    if record.result:
        print(say(language, "term.result", end=record.result.end, places=" ".join(map(str, record.result.places))))


def eyes_of(record: records.GameRecord, name: str) -> int:
    """Who looks, by the name of a seat."""
    game_type = records.game_of(record)
    watcher = watcher_of(record, name, game_type.seat_names)
    if watcher is None:
        raise GameError(f"there is no seat {name!r}; look as open, public, {', '.join(game_type.seat_names[: record.seats])}")
    return watcher


def show_moment(record: records.GameRecord, number: int, name: str, language: str) -> None:
    """The table after one move, as somebody saw it, and what he was told."""
    watcher = eyes_of(record, name)
    if not 0 <= number <= len(record.moves):
        raise GameError(f"there is no move {number}; the game has {len(record.moves)}")
    game = records.replay(record, number)
    shown = frame(game, watcher)
    because = [tuple(reason.values()) for reason in shown["because"]]
    for line in tell_story(language, game.script.prefix, shown["events"], because):
        print(f"  {line}")
    print(game.draw(watcher))


def show_replay(record: records.GameRecord, language: str) -> None:
    """The game again by the rules, with the table after every step."""
    for number, game in enumerate(records.plays(record)):
        if number:
            step = game.steps[number]
            print(f"\n{number}. {game.seat_names[step.seat]} {step.move}")
        for line in tell_story(language, game.script.prefix, game.events(OPEN, number), game.because(OPEN, number)):
            print(f"    {line}")
        print(game.draw(OPEN))
