"""The routes of puzzles."""

from __future__ import annotations

from typing import Annotated

from fastapi import FastAPI
from fastapi import Path as InPath
from fastapi.responses import JSONResponse, Response

from ..puzzles import find_puzzle, listed
from ..rules.game import playable
from .dependencies import GameName, answers_of, problem
from .http_bodies import PuzzleListed, PuzzleShown


def add_puzzles(app: FastAPI) -> None:
    """The ways to puzzles."""

    @app.get("/api/puzzles/{game}", responses={**answers_of(404), 200: {"model": list[PuzzleListed]}}, response_class=JSONResponse)
    async def puzzle_list(game: GameName) -> Response:
        """The puzzles of a game, the easiest first."""
        if game not in playable():
            raise problem(404, "not_found", "there is no such game")
        return JSONResponse(listed(game))

    @app.get("/api/puzzles/{game}/{ident}", responses={**answers_of(404), 200: {"model": PuzzleShown}}, response_class=JSONResponse)
    async def puzzle(game: GameName, ident: Annotated[str, InPath(pattern="^[a-z]{1,40}$")]) -> Response:
        """A puzzle, solution and all: whoever has it can solve it without the server."""
        found = find_puzzle(game, ident) if game in playable() else None
        if found is None:
            raise problem(404, "not_found", "there is no such puzzle")
        return JSONResponse(found.shown())
