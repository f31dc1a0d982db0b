"""Positions of recorded games: the moves are played through the server's own door, so that a page finds a real table there."""

from __future__ import annotations

from pathlib import Path

from drunemeton.client import Client, make_table

from ..deals import DEALS

PLAYED = Path(__file__).parent / "played"
Moves = list[tuple[int, str]]


def recorded(game: str, seed: int) -> Moves:
    """The moves of a game between bots, dealt from this seed: who moved, and what."""
    lines = (PLAYED / f"{game}-{seed}.txt").read_text(encoding="utf-8").splitlines()
    return [(int(seat), move) for seat, _, move in (line.partition(" ") for line in lines)]


class Position:
    """A table for two people at which a recorded game is being played. The server must not mind many messages at once."""

    def __init__(self, server: str, game: str, seed: int) -> None:
        self.moves = recorded(game, seed)
        self.at = 0
        with DEALS.typed(seed):
            made = make_table(server, game, [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Bo"}])
        self.links: list[str] = made["links"]

    def advance(self, to: int) -> None:
        """Play on from wherever the table stands, up to a move of the record."""
        seats = [Client.join(link) for link in self.links]
        revision = max(client.state["revision"] for client in seats)
        for seat, move in self.moves[self.at : to]:
            revision = seats[seat].do("move", revision=revision, move=move)["revision"]
        for client in seats:
            client.close()
        self.at = to

    @property
    def link(self) -> str:
        """The way to the seat whose move comes next."""
        return self.links[self.moves[self.at][0]] if self.at < len(self.moves) else self.links[0]

    def next(self) -> str:
        """The next move of the record; it counts as played."""
        self.at += 1
        return self.moves[self.at - 1][1]
