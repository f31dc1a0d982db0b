"""The laboratory's ways in: begin an experiment, watch it, end it, look at one of its games."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, HTTPException, Request
from fastapi import Path as InPath
from fastapi.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse

from ..lab.rulings import handed_out
from .http_bodies import LabAsked, LabBegun, LabGame, LabOpen, Problems, Status
from .laboratory import Busy, Laboratory, LabRun, NoLaboratory
from .limits import client_of

RunIdent = Annotated[str, InPath(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


def _answers(*codes: int) -> dict[int | str, dict[str, Any]]:
    return {code: {"model": Problems} for code in (*codes, 413, 421, 422, 429, 503)}


def _problem(status: int, code: str, message: str) -> HTTPException:
    return HTTPException(status, {"code": code, "message": message, "rule": None, "params": {}})


def _laboratory(request: Request) -> Laboratory:
    return request.app.state.laboratory  # type: ignore[no-any-return]


def _found(request: Request, ident: str) -> LabRun:
    run = _laboratory(request).find(ident)
    if run is None:
        raise _problem(404, "not_found", "there is no such experiment")
    return run


def add_laboratory(app: FastAPI) -> None:
    """Its ways in."""

    @app.get("/api/lab", responses=_answers())
    async def lab(request: Request) -> LabOpen:
        """Whether there is a laboratory here, and how large an experiment may be; whoever asks is about to begin one."""
        laboratory = _laboratory(request)
        if laboratory.open:
            await laboratory.prepare()
        return LabOpen(**laboratory.describe())

    @app.get("/api/lab/rulings", responses=_answers(), response_class=JSONResponse)
    async def rulings() -> Response:
        """What the other reading of each option does, as it was measured: by game, option, value and who played."""
        return JSONResponse(handed_out())

    @app.post("/api/lab", responses=_answers(403, 409))
    async def begin(request: Request, asked: LabAsked) -> LabBegun:
        """Begin an experiment: 403 where there is no laboratory, 409 while another one is running."""
        laboratory, client = _laboratory(request), client_of(request.scope)
        if not laboratory.open:
            raise _problem(403, "no_lab", "there is no laboratory on this server")
        if not laboratory.buckets.take(client):
            raise _problem(429, "too_fast", "too many experiments from here; wait a while")
        try:
            run = await laboratory.begin(asked.model_dump(exclude_none=True), client)
        except NoLaboratory:
            raise _problem(403, "no_lab", "there is no laboratory on this server") from None
        except Busy:
            raise _problem(409, "lab_busy", "another experiment is running") from None
        return LabBegun(run=run.ident)

    @app.get("/api/lab/{ident}/events", responses=_answers(404), response_class=StreamingResponse)
    async def events(request: Request, ident: RunIdent) -> Response:
        """What is known of it, as server-sent events: `progress` with figures so far, `done` with the result, `failed`."""
        run = _found(request, ident)
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(_laboratory(request).listen(run), media_type="text/event-stream", headers=headers)

    @app.delete("/api/lab/{ident}", responses=_answers(404))
    async def cancel(request: Request, ident: RunIdent) -> Status:
        """End it; what was played until then is told as `done`, with `cut`."""
        await _laboratory(request).cancel(_found(request, ident))
        return Status(status="ended")

    @app.post("/api/lab/game", responses=_answers(403), response_class=PlainTextResponse)
    async def game(request: Request, asked: LabGame) -> Response:
        """The record of one game of a result: of one that was run here, or that came as a file."""
        laboratory = _laboratory(request)
        if not laboratory.open:
            raise _problem(403, "no_lab", "there is no laboratory on this server")
        if not laboratory.buckets.take(client_of(request.scope)):
            raise _problem(429, "too_fast", "too many games from here; wait a while")
        return PlainTextResponse(await laboratory.record(asked.model_dump()))
