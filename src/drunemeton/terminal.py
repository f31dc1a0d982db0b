"""A table in the terminal: the board in text, moves by their text form, and explanations."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import records
from .bots import BOTS, SIMPLE, Bot, make_bot
from .locales import available, say, tell_event, tell_reason, tell_story, word
from .records.frames import frame, watcher_of
from .rules.errors import GameError
from .rules.game import Game, find_game
from .rules.kernel import OPEN

# What can be typed is the same in all languages; what it does is said in the reader's own.
HELP = {
    "MOVE": "move",
    "moves": "moves",
    "? MOVE": "ask",
    "undo": "undo",
    "log": "log",
    "board": "board",
    "save FILE": "save",
    "quit": "quit",
}


class Leave(Exception):
    """The player has left the table."""


def play(
    name: str,
    seats: str | None,
    seed: int | None,
    options: Mapping[str, Any] | None,
    components: Mapping[str, Any] | None,
    language: str,
    save: Path | None,
) -> int:
    """Play a game in the terminal."""
    game_type = find_game(name)
    players = seats.split(",") if seats else ["human", *["greedy"] * (game_type.players[0] - 1)]
    for player in players:
        if player not in ("human", *BOTS):
            raise GameError(f"nobody called {player!r} can sit here; seats are human, {', '.join(BOTS)}")
    game = game_type.new(seats=len(players), seed=seed, options=options, components=components)
    language = language if language in available() else "en"
    table = Terminal(game, players, language)
    try:
        table.run()
    except (Leave, EOFError):
        print(say(language, "term.left"))
        return 0
    if save:
        save.write_text(records.write(game), encoding="utf-8")
        print(say(language, "term.record_in", file=save))
    return 0


class Terminal:
    """One terminal with one or more people and any bots."""

    def __init__(self, game: Game, players: list[str], language: str) -> None:
        self.game, self.players, self.language = game, players, language
        self.bots: dict[str, Bot] = {
            name: make_bot(type(game), name, plain=True if name in SIMPLE else None) for name in set(players) - {"human"}
        }
        self.people = [seat for seat, player in enumerate(players) if player == "human"]
        self.seen = dict.fromkeys(self.people, 0)
        self.last: int | None = None

    def run(self) -> None:
        """Until the game is over."""
        print(f"{self.game.title}: " + ", ".join(f"{self.name(seat)} ({self.player(seat)})" for seat in range(len(self.players))))
        if self.game.chance.auditable:
            self.say("committed", commitment=self.game.chance.commitment)  # type: ignore[union-attr]
        else:
            self.say("seeded")
        while self.game.to_move is not None:
            seat = self.game.to_move
            if seat in self.people:
                self.ask(seat)
            else:
                action = self.bots[self.players[seat]].choose(self.game.knowledge[seat], seed=secrets.randbits(32))
                self.game.play(action)
        watcher = self.people[0] if len(self.people) == 1 else OPEN
        self.tell(watcher)
        print(self.game.draw(OPEN))
        result = self.game.result
        assert result is not None
        for seat, place in enumerate(result.places):
            print("  " + say(self.language, "term.place", name=self.name(seat), player=self.player(seat), place=place))

    def say(self, key: str, **params: Any) -> None:
        """Print a sentence of the terminal's own."""
        print(say(self.language, f"term.{key}", **params))

    def name(self, seat: int) -> str:
        """A seat in the reader's words."""
        return word(self.language, self.game.script.prefix, self.game.seat_names[seat])

    def player(self, seat: int) -> str:
        """Who sits there."""
        player = self.players[seat]
        return say(self.language, "term.human" if player == "human" else f"web.bot.{player}")

    def tell(self, watcher: int) -> None:
        """Print what a watcher was told since he last looked."""
        since = self.seen.get(watcher, len(self.game.steps))
        self.print_story(watcher, since)
        self.seen[watcher] = len(self.game.steps)

    def print_story(self, watcher: int, since: int) -> None:
        """Print what a watcher was told from a step on, and why it happened."""
        events, because = self.game.events(watcher, since), self.game.because(watcher, since)
        for line in tell_story(self.language, self.game.script.prefix, events, because):
            print(f"  {line}")

    def ask(self, seat: int) -> None:
        """Let a person decide."""
        if len(self.people) > 1 and self.last not in (None, seat):
            print("\033[2J\033[H", end="")
            input(say(self.language, "term.handover", name=self.name(seat)) + " ")
        self.last = seat
        self.tell(seat)
        print(self.game.draw(seat))
        self.moves()
        while True:
            if self.command(seat, input(f"{self.name(seat)}> ").strip()):
                return

    def moves(self) -> None:
        """List the legal moves."""
        print("  " + "   ".join(self.game.legal()))

    def command(self, seat: int, text: str) -> bool:
        """Carry out what was typed; whether a step was taken."""
        word, _, rest = text.partition(" ")
        if text in ("?", "help", ""):
            for typed, does in HELP.items():
                print(f"  {typed:<11} {say(self.language, f'term.help.{does}')}")
            self.moves()
        elif word == "?":
            self.explain(rest)
        elif text == "moves":
            self.moves()
        elif text == "board":
            print(self.game.draw(seat))
        elif text == "log":
            self.print_story(seat, 0)
        elif text == "undo":
            return self.undo(seat)
        elif word == "save" and rest:
            self.save(Path(rest))
        elif text in ("quit", "exit"):
            raise Leave
        else:
            reason = self.game.why_not(text)
            if reason is None:
                self.game.play(text)
                return True
            rule = f" ({reason.rule})" if reason.rule else ""
            print(f"  {tell_reason(self.language, reason.code, reason.params)}{rule}")
        return False

    def explain(self, move: str) -> None:
        """What a move would bring, as far as the player can know, or why it is refused."""
        reason = self.game.why_not(move)
        if reason is not None:
            rule = f" ({reason.rule})" if reason.rule else ""
            print(f"  {tell_reason(self.language, reason.code, reason.params)}{rule}")
            return
        for foreseen in self.game.preview(move):
            for line in tell_story(self.language, self.game.script.prefix, [foreseen.event], foreseen.because):
                print(f"  {'' if foreseen.share == 1 else f'{foreseen.share:.0%} '}{line}")

    def undo(self, seat: int) -> bool:
        """Take the last step back if that tells nobody's secret."""
        if not self.game.can_undo(seat):
            print(f"  {tell_reason(self.language, 'nothing_to_undo', {})}")
            return False
        self.game.undo(seat)
        for person in self.seen:
            self.seen[person] = min(self.seen[person], len(self.game.steps))
        return True

    def save(self, path: Path) -> None:
        """Write the record."""
        try:
            path.write_text(records.write(self.game), encoding="utf-8")
            print("  " + say(self.language, "term.saved", file=path))
        except OSError as problem:
            print(f"  {path}: {problem.strerror}")


# --- Records in the terminal ---------------------------------------------------------------------------------------


def show_record(record: records.GameRecord, language: str) -> None:
    """What a record says, in words; a finished game needs no rules for that."""
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


def show_moment(record: records.GameRecord, number: int, name: str, language: str) -> None:
    """The table after one move, as somebody saw it, and what he was told."""
    game_type = records.game_of(record)
    watcher = watcher_of(record, name, game_type.seat_names)
    if watcher is None:
        raise GameError(f"there is no seat {name!r}; look as open, public, {', '.join(game_type.seat_names[: record.seats])}")
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
    game = records.replay(record, 0)
    final = records.replay(record)
    for number, step in enumerate(final.steps):
        if number:
            game = records.replay(record, number)
            print(f"\n{number}. {final.seat_names[step.seat]} {step.move}")
        for event in game.events(OPEN, number):
            line = tell_event(language, game.script.prefix, event)
            if line:
                print(f"    {line}")
        print(game.draw(OPEN))
