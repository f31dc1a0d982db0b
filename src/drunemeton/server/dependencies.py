"""What routes ask for: tables, sessions and typed errors."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Header, HTTPException, Query, Request
from fastapi import Path as InPath

from ..rules.errors import GameError
from ..store import Pass
from .http_bodies import Problems
from .keys import bearer
from .live_table import LiveTable
from .registry import TableRegistry

Ident = Annotated[str, InPath(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
GameName = Annotated[str, InPath(pattern="^[a-z]{1,40}$")]
Authorization = Annotated[str | None, Header()]
Watcher = Annotated[str, Query(alias="as", pattern="^[a-z]{1,20}$", description="a seat by its name, `public` or `open`")]


def answers_of(*codes: int) -> dict[int | str, dict[str, Any]]:
    """The typed errors that a route may answer with, for its documentation."""
    return {code: {"model": Problems} for code in (*codes, 413, 421, 422, 429, 503)}


def problem(status: int, code: str, message: str, **more: Any) -> HTTPException:
    """A typed error."""
    return HTTPException(status, {"code": code, "message": message, "rule": None, "params": {}, **more})


def _registry(request: Request) -> TableRegistry:
    return request.app.state.registry  # type: ignore[no-any-return]


InRegistry = Annotated[TableRegistry, Depends(_registry)]


async def _live(registry: InRegistry, ident: Ident) -> LiveTable:
    try:
        return await registry.find(ident)
    except GameError as found:
        raise problem(409, "old_rules", str(found)) from None


AtTable = Annotated[LiveTable, Depends(_live)]


async def _session(registry: InRegistry, live: AtTable, authorization: Authorization = None) -> Pass:
    found = await registry.session(bearer(authorization), live.table.ident)
    if found is None:
        raise problem(401, "session", "a session of this table is needed")
    return found


Session = Annotated[Pass, Depends(_session)]
