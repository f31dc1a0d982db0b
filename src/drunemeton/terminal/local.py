"""A table in this terminal: one or more people, and any bots."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .. import records
from ..bots import SIMPLE, Bot, seated
from ..bots.arena import LIMIT
from ..bots.compiling import Compiling, ending_at_once
from ..bots.own import check_names, find_bot
from ..locales import available, say
from ..rules.errors import Reason
from ..rules.game import Game, find_game
from ..rules.kernel import OPEN
from .prompt import Happening, Leave, Terminal


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
    players = seats.split(",") if seats is not None else ["human", *["greedy"] * (game_type.players[0] - 1)]
    check_names(game_type, [player for player in players if player != "human"])
    players = [seated(game_type, player, len(players), options, components) for player in players]
    game = game_type.new(seats=len(players), seed=seed, options=options, components=components)
    language = language if language in available() else "en"
    table = LocalTerminal(game, players, language, seed)
    try:
        table.run()
    except (Leave, EOFError):
        print(say(language, "term.left"))
        return 0
    if save:
        try:
            save.write_text(records.write(game), encoding="utf-8")
        except OSError:
            print(records.write(game), end="")  # the game is over: what cannot be kept there is not lost
            raise
        print(say(language, "term.record_in", file=save))
    return 0


class LocalTerminal(Terminal):
    """A table of which everything is here."""

    commands = ("move", "moves", "ask", "undo", "log", "board", "words", "save", "quit")

    def __init__(self, game: Game, players: list[str], language: str, deal: int | None = None) -> None:
        """Where the deal was typed, bots answer as they do to it in `simulate`: then a whole game of theirs comes again."""
        super().__init__(type(game), language)
        self.game, self.players, self.deal = game, players, deal
        with Compiling(say(language, "term.compiling")), ending_at_once():
            self.bots: dict[str, Bot] = {
                name: find_bot(type(game), name, plain=True if name in SIMPLE else None) for name in set(players) - {"human"}
            }
        self.people = [seat for seat, player in enumerate(players) if player == "human"]
        self.seen = dict.fromkeys(self.people, 0)
        self.seat = 0  # who sits at the terminal now
        self.last: int | None = None

    def run(self) -> None:
        """Until the game is over."""
        who = [self.player(seat) for seat in range(len(self.players))]
        print(f"{self.game.title}: " + ", ".join(f"{self.seat_name(seat)} ({player})" for seat, player in enumerate(who)))
        if self.game.chance.auditable:
            self.say("committed", commitment=self.game.chance.commitment)  # type: ignore[union-attr]
        else:
            self.say("seeded")
        while self.game.to_move is not None:
            seat = self.game.to_move
            if seat in self.people:
                self.ask(seat)
            else:
                number = secrets.randbits(32) if self.deal is None else self.deal * LIMIT + len(self.game.steps) - 1
                action = self.bots[self.players[seat]].choose(self.game.knowledge[seat], seed=number)
                self.game.play(action)
        self.tell_news(self.people[0] if len(self.people) == 1 else OPEN)
        print(self.game.draw(OPEN))
        assert self.game.result is not None
        self.places(self.game.result.places, who)

    def player(self, seat: int) -> str:
        """Who sits there."""
        player = self.players[seat]
        return say(self.language, "term.human") if player == "human" else self.bot_name(player)

    def tell_news(self, watcher: int) -> None:
        """Print what a watcher was told since he last looked."""
        since = self.seen.get(watcher, len(self.game.steps))
        self.tell((self.game.events(watcher, since), self.game.because(watcher, since)))
        self.seen[watcher] = len(self.game.steps)

    def ask(self, seat: int) -> None:
        """Let a person decide."""
        if len(self.people) > 1 and self.last not in (None, seat):
            print("\033[2J\033[H", end="")
            input(say(self.language, "term.handover", name=self.seat_name(seat)) + " ")
        self.last = self.seat = seat
        self.tell_news(seat)
        print(self.draw())
        self.list_moves()
        while not self.command(input(f"{self.seat_name(seat)}> ").strip()):
            pass

    def legal(self) -> list[str]:
        return self.game.legal()

    def draw(self) -> str:
        return self.game.draw(self.seat)

    def log(self) -> Happening:
        return self.game.events(self.seat), self.game.because(self.seat)

    def foresee(self, move: str) -> Reason | list[tuple[float, Happening]]:
        reason = self.game.why_not(move)
        return (
            reason
            if reason is not None
            else [(foreseen.share, ([foreseen.event], foreseen.because)) for foreseen in self.game.preview(move)]
        )

    def move(self, text: str) -> Reason | None:
        reason = self.game.why_not(text)
        if reason is None:
            self.game.play(text)
        return reason

    def undo(self) -> Reason | None:
        if not self.game.can_undo(self.seat):
            return Reason("nothing_to_undo")
        self.game.undo(self.seat)
        for person in self.seen:
            self.seen[person] = min(self.seen[person], len(self.game.steps))
        return None

    def more(self, text: str) -> bool:
        word, _, file = text.partition(" ")
        if word != "save" or not file.strip():
            return False
        path = Path(file.strip())
        try:
            path.write_text(records.write(self.game), encoding="utf-8")
            print("  " + say(self.language, "term.saved", file=path))
        except OSError as problem:
            print(f"  {path}: {problem.strerror}")
        return True
