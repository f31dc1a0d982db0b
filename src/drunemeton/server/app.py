"""The application: HTTP for lobby, tables, records and rules, and the way to the WebSocket. See docs/protocol.md."""

from __future__ import annotations

import contextlib
import gzip
import logging
from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import Depends, FastAPI, Header, HTTPException, Query, Request, WebSocket
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from .. import __version__, bots, records
from ..rules.errors import BadEntry, GameError
from ..rules.game import playable
from ..store import Pass, SqliteStore, Store, StoreError
from ..table import Refused
from .conversation import converse
from .keys import bearer
from .live_table import Gone, LiveTable
from .logs import log
from .pages import Guard, build_of, error, front
from .registry import NotFound, TableRegistry
from .replay import Replays, ReplayTooLong
from .settings import Settings, is_loopback

NAME = Field("", max_length=40)
Ident = Annotated[str, InPath(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Authorization = Annotated[str | None, Header()]
Watcher = Annotated[str, Query(alias="as", pattern="^[a-z]{1,20}$", description="a seat by its name, `public` or `open`")]


class Problem(BaseModel):
    """What went wrong: a code with parameters for the catalogues, and a sentence for developers."""

    code: str
    message: str
    rule: str | None = None
    params: dict[str, Any] = {}
    entry: str | None = None


class Problems(BaseModel):
    """An error."""

    error: Problem


class Closed(BaseModel):
    """A body that holds nothing that we do not know."""

    model_config = ConfigDict(extra="forbid")


class SeatAsked(Closed):
    """Who shall sit at a seat."""

    kind: str
    name: str | None = NAME
    bot: str | None = Field(None, max_length=40)


class ClockAsked(Closed):
    """Which clock."""

    kind: str = "none"
    seconds: int = Field(0, ge=0, le=2**31)


class TableAsked(Closed):
    """A table to be made."""

    game: str = Field(max_length=40)
    seats: list[SeatAsked] = Field(min_length=1, max_length=8)
    options: dict[str, Any] | None = None
    components: dict[str, Any] | None = None
    clock: ClockAsked | None = None
    seed: int | None = Field(None, ge=-(2**63), lt=2**63)


class TableMade(BaseModel):
    """A new table: the keys of its seats (null where no key is for you), and one to watch with."""

    table: str
    keys: list[str | None]
    watch: str
    commitment: str
    seat: int | None = None


class SeatShown(BaseModel):
    """A seat as everybody may know it."""

    kind: str
    name: str
    bot: str | None
    out: str | None


class TableShown(BaseModel):
    """What may be known of a table without a key."""

    table: str
    game: str
    title: str
    seats: list[SeatShown]
    options: dict[str, Any]
    clock: dict[str, Any]
    over: bool


class SessionMade(BaseModel):
    """A session, and the seat that it opens (null: to watch)."""

    session: str
    seat: int | None
    table: str
    key: str | None = None


class NameAsked(Closed):
    """How somebody wants to be called."""

    name: str | None = NAME


class SitAsked(Closed):
    """Which open seat to take (null: any)."""

    seat: int | None = Field(None, ge=0, le=7)
    name: str = NAME


class RematchAsked(Closed):
    """Whether the winner leaves cards out, and which."""

    handicap: bool = False
    cards: list[Annotated[str, Field(max_length=8)]] | None = Field(None, max_length=8)


class Status(BaseModel):
    """The server is there."""

    status: str


class Version(BaseModel):
    """Which version, which build of the page, the address that links should carry if it is not the page's own, and who can get here."""

    version: str
    build: str
    public_url: str | None
    reach: Literal["public", "network", "machine"]
    addresses: list[str]


class SessionAsked(Closed):
    """A session, and the table that it belongs to."""

    table: str = Field(max_length=64)
    session: str = Field(max_length=200)


class MineAsked(Closed):
    """Sessions of tables at which somebody sits."""

    sessions: list[SessionAsked] = Field(max_length=64)


class MineShown(BaseModel):
    """How a table stands for who sits there; `there` is false for a table or a session that is no more."""

    table: str
    there: bool
    seat: int | None = None
    turn: int | None = None
    over: bool = False
    seats: list[SeatShown] = []
    undo_waiting: list[int] = []
    clocks: dict[str, Any] | None = None


def _answers(*codes: int) -> dict[int | str, dict[str, Any]]:
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


def _session(registry: InRegistry, live: AtTable, authorization: Authorization = None) -> Pass:
    found = registry.session(bearer(authorization), live.table.ident)
    if found is None:
        raise problem(401, "session", "a session of this table is needed")
    return found


Session = Annotated[Pass, Depends(_session)]


def create_app(settings: Settings | None = None, store: Store | None = None) -> FastAPI:
    """The application for these settings; it opens its store when it starts, unless it is handed one."""
    chosen = settings or Settings()
    build = build_of(chosen.assets)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.registry = TableRegistry(chosen, store or SqliteStore(chosen.store_path))
        app.state.replays = Replays(chosen)
        log("started", version=__version__, build=build)
        try:
            yield
        finally:
            await app.state.registry.close()
            log("stopped")

    app = FastAPI(
        title="Drunemeton",
        version=__version__,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        swagger_ui_oauth2_redirect_url=None,
    )
    app.add_middleware(Guard, settings=chosen)
    _add_errors(app)
    _add_house(app, chosen, build)
    _add_tables(app)
    _add_replays(app, chosen)
    _add_pages(app, chosen)

    @app.websocket("/api/tables/{ident}/play")
    async def play(socket: WebSocket, ident: str) -> None:
        await converse(app.state.registry, socket, ident, build)

    return app


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(HTTPException)
    async def http(request: Request, found: HTTPException) -> Response:
        detail: Any = found.detail
        if isinstance(detail, dict):
            return JSONResponse({"error": detail}, found.status_code, headers=found.headers)
        return error(found.status_code, {404: "not_found", 405: "wrong_method"}.get(found.status_code, "http"), str(found.detail))

    from starlette.exceptions import HTTPException as Plain

    app.exception_handler(Plain)(http)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, found: RequestValidationError) -> Response:
        first = found.errors()[0]
        entry = ".".join(str(part) for part in first["loc"] if part != "body")
        return error(422, "bad_request", first["msg"], entry=entry)

    @app.exception_handler(GameError)
    async def game_error(request: Request, found: GameError) -> Response:
        if isinstance(found, Refused):
            reason = found.reason
            return error(409, reason.code, reason.code, rule=reason.rule, params=reason.params)
        if isinstance(found, records.BadRecord):
            params = {"code": found.code, "line": found.line, **found.params}
            return error(409 if found.code == "running" else 422, "bad_record", str(found), params=params)
        if isinstance(found, BadEntry):
            return error(422, "bad_option", str(found), entry=found.entry, params={"code": found.code, **found.params})
        return error(422, "game", str(found), entry=None)

    @app.exception_handler(NotFound)
    async def no_table(request: Request, found: NotFound) -> Response:
        return error(404, "no_table", "there is no such table")

    @app.exception_handler(StoreError)
    @app.exception_handler(Gone)
    async def store_error(request: Request, found: Exception) -> Response:
        log("request_failed", level=logging.ERROR, problem=found, path=request.scope.get("route", request).__class__.__name__)
        return error(503, "store", "the table cannot be written to disk now; nothing was changed")

    @app.exception_handler(Exception)
    async def anything(request: Request, found: Exception) -> Response:
        log("request_failed", level=logging.ERROR, problem=found)
        return error(500, "internal", "something went wrong here; it was logged")


def _add_house(app: FastAPI, settings: Settings, build: str) -> None:
    @app.get("/api/health")
    async def health() -> Status:
        return Status(status="ok")

    @app.get("/api/version")
    async def version(request: Request) -> Version:
        # Which addresses this machine has is told to those who sit at it, and to nobody else.
        near = request.client is not None and is_loopback(request.client.host)
        addresses = settings.addresses() if near else []
        return Version(version=__version__, build=build, public_url=settings.public_url, reach=settings.reach, addresses=addresses)

    @app.get("/api/games")
    async def games() -> list[dict[str, Any]]:
        return [_describe(settings, name) for name in playable()]

    @app.get("/api/rules/figures/{name}", responses=_answers(404), response_class=FileResponse)
    async def figure(name: Annotated[str, InPath(pattern=r"^[a-z0-9-]{1,60}\.svg$")]) -> Response:
        path = settings.rules / "figures" / name
        if not path.is_file():
            raise problem(404, "not_found", "there is no such figure")
        return FileResponse(path, media_type="image/svg+xml", headers={"cache-control": "no-cache"})

    @app.get("/api/rules/{lang}/{game}", responses=_answers(404), response_class=PlainTextResponse)
    async def rules(lang: Annotated[str, InPath(pattern="^[a-z]{2}$")], game: Annotated[str, InPath(pattern="^[a-z]{1,40}$")]) -> Response:
        for language in dict.fromkeys((lang, "en")):
            path = settings.rules / language / f"{game}.md"
            if path.is_file():
                headers = {"cache-control": "no-cache", "content-language": language}
                return PlainTextResponse(path.read_text(encoding="utf-8"), media_type="text/markdown", headers=headers)
        raise problem(404, "not_found", "there are no rules of this game")


def _describe(settings: Settings, name: str) -> dict[str, Any]:
    game = settings.find(name)
    return {
        "name": name,
        "title": game.title,
        "players": list(game.players),
        "seat_names": list(game.seat_names),
        "playable": True,
        "options": [option.describe() for option in game.described],
        "components": game.default_components(),
        "provenance": game.provenance(),
        "bots": bots.offered(game),
    }


def _shown(live: LiveTable) -> TableShown:
    table = live.table
    return TableShown(
        table=table.ident,
        game=table.opening["game"],
        title=table.game_type.title,
        seats=[SeatShown(**seat.describe()) for seat in table.seats],
        options=table.opening["options"],
        clock=table.opening["clock"],
        over=table.over,
    )


async def _mine(registry: TableRegistry, ident: str, session: str) -> MineShown:
    found = registry.session(session, ident)
    if found is None:
        return MineShown(table=ident, there=False)
    try:
        table = (await registry.find(ident)).table
    except (NotFound, GameError):
        return MineShown(table=ident, there=False)
    return MineShown(
        table=ident,
        there=True,
        seat=found.seat,
        turn=table.turn,
        over=table.over,
        seats=[SeatShown(**seat.describe()) for seat in table.seats],
        undo_waiting=sorted(table.ask.waiting) if table.ask is not None else [],
        clocks=table.clocks(registry.settings.now()),
    )


def _add_tables(app: FastAPI) -> None:
    @app.get("/api/tables")
    async def lobby(registry: InRegistry) -> list[TableShown]:
        shown = []
        for stored in registry.lobby():
            with contextlib.suppress(NotFound, GameError):
                shown.append(_shown(await registry.find(stored.ident)))
        return shown

    @app.post("/api/mine", responses=_answers())
    async def mine(registry: InRegistry, asked: MineAsked) -> list[MineShown]:
        return [await _mine(registry, one.table, one.session) for one in asked.sessions]

    @app.post("/api/tables", responses=_answers())
    async def make(registry: InRegistry, asked: TableAsked, request: Request) -> TableMade:
        if not registry.table_buckets.take(request.client.host if request.client else "?"):
            raise problem(429, "too_many_tables", "too many tables were made from here; wait a while")
        return TableMade(**await registry.make(asked.model_dump()))

    @app.get("/api/tables/{ident}", responses=_answers(404, 409))
    async def show(live: AtTable) -> TableShown:
        return _shown(live)

    @app.delete("/api/tables/{ident}", responses=_answers(401, 404, 409))
    async def delete(registry: InRegistry, live: AtTable, session: Session) -> Status:
        await registry.delete(live, session.seat)
        return Status(status="deleted")

    @app.post("/api/tables/{ident}/session", responses=_answers(401, 404, 409))
    async def exchange(
        registry: InRegistry, live: AtTable, asked: NameAsked | None = None, authorization: Authorization = None
    ) -> SessionMade:
        made = await registry.exchange(live, bearer(authorization), asked.name if asked else None)
        if made is None:
            raise problem(401, "key", "this key does not open a seat of this table")
        return SessionMade(**made)

    @app.post("/api/tables/{ident}/sit", responses=_answers(404, 409))
    async def sit(registry: InRegistry, live: AtTable, asked: SitAsked) -> SessionMade:
        return SessionMade(**await registry.sit(live, asked.seat, asked.name))

    @app.get("/api/tables/{ident}/record", responses=_answers(404, 409), response_class=PlainTextResponse)
    async def record(live: AtTable) -> Response:
        async with live.lock:
            table = live.table
            if not table.over:
                raise problem(409, "running", "a running game has no record yet")
            text = records.write(table.game, table.result)
        return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{table.opening["game"]}-{table.ident}.txt"'})

    @app.post("/api/tables/{ident}/rematch", responses=_answers(401, 403, 404, 409))
    async def rematch(registry: InRegistry, live: AtTable, session: Session, asked: RematchAsked, request: Request) -> TableMade:
        if session.seat is None:
            followed = await registry.follow(live)
            if followed is None:
                raise problem(403, "no_seat", "only a player can ask for a rematch")
            return TableMade(**followed)
        if not registry.table_buckets.take(request.client.host if request.client else "?"):
            raise problem(429, "too_many_tables", "too many tables were made from here; wait a while")
        return TableMade(**await registry.rematch(live, session.seat, asked.handicap, asked.cards))


def _add_replays(app: FastAPI, settings: Settings) -> None:
    def admit(request: Request) -> Replays:
        replays: Replays = request.app.state.replays
        if not replays.buckets.take(request.client.host if request.client else "?"):
            raise problem(429, "too_fast", "too many games were looked at from here; wait a while")
        return replays

    async def played(replays: Replays, request: Request, text: str, watcher: str, seats: list[dict[str, Any]] | None = None) -> Response:
        try:
            answer = await replays.answer(text, watcher, seats)
        except ReplayTooLong:
            raise problem(422, "too_long", "playing this game again takes too long") from None
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(gzip.decompress(answer), media_type="application/json")
        return Response(answer, media_type="application/json", headers={"content-encoding": "gzip"})

    @app.get("/api/tables/{ident}/replay", responses=_answers(404, 409), response_class=JSONResponse)
    async def replay(request: Request, live: AtTable, watcher: Watcher = "public") -> Response:
        replays = admit(request)
        async with live.lock:
            table = live.table
            if not table.over:
                raise problem(409, "running", "a running game cannot be looked at again yet")
            text, seats = records.write(table.game, table.result), [seat.describe() for seat in table.seats]
        return await played(replays, request, text, watcher, seats)

    body = {"required": True, "content": {"text/plain": {"schema": {"type": "string"}}}}

    @app.post("/api/replay", responses=_answers(409), response_class=JSONResponse, openapi_extra={"requestBody": body})
    async def replay_text(request: Request, watcher: Watcher = "public") -> Response:
        replays = admit(request)
        try:
            text = (await request.body()).decode()
        except UnicodeDecodeError:
            raise records.BadRecord(1, "beginning") from None
        return await played(replays, request, text, watcher)

    @app.get("/api/record", responses=_answers(404), response_class=PlainTextResponse)
    async def shown_record() -> Response:
        if settings.record is None:
            raise problem(404, "not_found", "this server was not started to show a record")
        return PlainTextResponse(settings.record.read_text(encoding="utf-8"))


def _add_pages(app: FastAPI, settings: Settings) -> None:
    @app.get("/api/{rest:path}", include_in_schema=False)
    async def nothing(rest: str) -> Response:
        return error(404, "not_found", "there is nothing here")

    @app.get("/{rest:path}", include_in_schema=False)
    @app.head("/{rest:path}", include_in_schema=False)
    async def page(rest: str, request: Request) -> Response:
        return front(settings, request)
