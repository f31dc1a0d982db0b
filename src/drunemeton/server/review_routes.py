"""The routes of reviews."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from .. import records
from .dependencies import AtTable, Ident, answers_of, problem
from .http_bodies import ChancesShown, ReviewShown
from .limits import client_of
from .review import Reviews


def add_reviews(app: FastAPI) -> None:
    """The ways to a review."""

    def answered(body: bytes) -> Response:
        return Response(body, media_type="application/json", headers={"cache-control": "no-store"})

    @app.get("/api/tables/{ident}/review", responses={**answers_of(404, 409), 200: {"model": ReviewShown}}, response_class=JSONResponse)
    async def review(request: Request, live: AtTable) -> Response:
        """What decided a finished game: begun by the first who asks, and told as far as it is; a running game: 409, for everybody."""
        return answered(await _reviews(request).of_table(live, client_of(request.scope)))

    @app.get("/api/tables/{ident}/chances", responses=answers_of(404, 409))
    async def chances(request: Request, live: AtTable) -> ChancesShown:
        """Every seat's chance to win after each step of a game, from what all can see: where no person plays who has not agreed."""
        return ChancesShown(**request.app.state.graphs.of_table(live, client_of(request.scope)))

    body = {"required": True, "content": {"text/plain": {"schema": {"type": "string"}}}}

    @app.post("/api/review", responses={**answers_of(409), 200: {"model": ReviewShown}}, openapi_extra={"requestBody": body})
    async def review_text(request: Request) -> Response:
        """The same for a record handed in as text (at most 1 MB), which is not kept; its `id` is for asking again."""
        try:
            text = (await request.body()).decode()
        except UnicodeDecodeError:
            raise records.BadRecord(1, "beginning") from None
        if records.read(text).result is None:
            raise problem(409, "running", "while somebody plays, nobody is told what a position is worth")
        return answered(await _reviews(request).of_text(text, client_of(request.scope)))

    @app.get("/api/reviews/{ident}", responses={**answers_of(404), 200: {"model": ReviewShown}}, response_class=JSONResponse)
    async def review_of(request: Request, ident: Ident) -> Response:
        """How far the review of a record that was handed in is; 404 if it was not, or too long ago."""
        found = _reviews(request).again(ident)
        if found is None:
            raise problem(404, "not_found", "this record was not handed in, or too long ago")
        return answered(found)


def _reviews(request: Request) -> Reviews:
    return request.app.state.reviews  # type: ignore[no-any-return]
