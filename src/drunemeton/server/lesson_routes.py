"""The routes of lessons."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response

from ..lessons import figures, stages
from ..rules.game import playable
from .dependencies import GameName, answers_of, problem
from .http_bodies import FigureShown, StageShown


def add_lessons(app: FastAPI) -> None:
    """The ways to lessons."""

    @app.get("/api/lessons/{game}", responses=answers_of(404))
    async def lesson(game: GameName) -> list[StageShown]:
        """The stages of a game's lesson; a table is made from one by `stage` and `lesson` in `POST /api/tables`."""
        if game not in playable():
            raise problem(404, "not_found", "there is no such game")
        return [StageShown(**stage.describe(), seats=stage.seats) for stage in stages(game)]

    @app.get("/api/lessons/{game}/figures", responses={**answers_of(404), 200: {"model": list[FigureShown]}}, response_class=JSONResponse)
    def lesson_figures(game: GameName) -> Response:
        """The figures of "How to play", as positions for the game's own board. Arranged beside the event loop, once."""
        if game not in playable():
            raise problem(404, "not_found", "there is no such game")
        return JSONResponse(figures(game))
