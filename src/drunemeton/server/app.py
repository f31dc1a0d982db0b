"""The application: HTTP for lobby, tables, records and rules, and the way to the WebSocket. See docs/protocol.md."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import logging
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Annotated, Any, cast

from fastapi import FastAPI, HTTPException, Request, WebSocket
from fastapi import Path as InPath
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response

from .. import __version__, bots, puzzles, records
from ..rules.errors import BadEntry, GameError
from ..rules.game import playable
from ..store import SqliteStore, Store, StoreError
from ..table import Refused, Table
from . import documentation
from .chances import Graphs
from .cluster import Passage, Recognise, watch
from .conversation import converse
from .dependencies import AtTable, Authorization, InRegistry, Session, Watcher, answers_of, problem
from .http_bodies import (
    GameInfo,
    MadeTable,
    MineAsked,
    NameAsked,
    RematchAsked,
    ReplayShown,
    SessionMade,
    SitAsked,
    Standing,
    Status,
    TableAsked,
    TableShown,
    Version,
)
from .keys import bearer
from .lab_routes import add_laboratory
from .laboratory import Laboratory
from .lesson_routes import add_lessons
from .limits import client_of
from .live_table import Gone
from .logs import log
from .messages import encode
from .metrics import text_of
from .pages import Guard, build_of, error, front
from .protocol import ClockRules, Clocks, Result, SeatInfo
from .puzzle_routes import add_puzzles
from .registry import Damaged, Elsewhere, NotFound, TableRegistry
from .replay import Replays, ReplayTooLong
from .review import Reviews
from .review_routes import add_reviews
from .schemas import game_schemas, json_schema
from .settings import Settings, is_loopback

if TYPE_CHECKING:
    from ..store.postgres import PostgresStore


def create_app(settings: Settings | None = None, store: Store | None = None) -> FastAPI:
    """The application for these settings; it opens its store when it starts, unless it is handed one."""
    chosen = settings or Settings()
    build = build_of(chosen.assets)

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.registry = TableRegistry(chosen, store or SqliteStore(chosen.store_path))
        app.state.replays = Replays(chosen)
        app.state.laboratory = Laboratory(chosen, app.state.registry.home)
        watching = asyncio.create_task(watch(app.state.registry)) if shared is not None else None
        app.state.reviews = Reviews(app.state.registry.bot_pool, chosen, app.state.registry.home)
        app.state.graphs = Graphs(app.state.registry.bot_pool)
        log("started", version=__version__, build=build)
        try:
            yield
        finally:
            if watching is not None:
                watching.cancel()
            await app.state.graphs.close()
            await app.state.reviews.close()
            await app.state.laboratory.close()
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
    shared = cast("PostgresStore | None", store if hasattr(store, "claim") else None)
    if shared is not None:
        app.add_middleware(Passage, settings=chosen, registry=lambda: app.state.registry, secret=shared.secret)
    app.add_middleware(Guard, settings=chosen)
    if shared is not None:
        app.add_middleware(Recognise, secret=shared.secret)
    _add_errors(app)
    _add_house(app, chosen, build)
    if chosen.metrics:
        _add_metrics(app)
    _add_texts(app, chosen)
    _add_tables(app)
    _add_seats(app)
    _add_ends(app)
    _add_replays(app, chosen)
    add_reviews(app)
    add_lessons(app)
    add_puzzles(app)
    add_laboratory(app)
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
            return error(found.status_code, **detail)
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

    @app.exception_handler(Damaged)
    async def damaged(request: Request, found: Damaged) -> Response:
        return error(409, "damaged", "what is stored of this table cannot be read; a copy of the store may help")

    @app.exception_handler(StoreError)
    @app.exception_handler(Gone)
    @app.exception_handler(Elsewhere)
    async def store_error(request: Request, found: Exception) -> Response:
        log("request_failed", level=logging.ERROR, problem=found, path=getattr(request.scope.get("route"), "path", None))
        return error(503, "store", "the table cannot be written to disk now; nothing was changed")


def _add_house(app: FastAPI, settings: Settings, build: str) -> None:
    """What is not about one table; long because each way in is a function within."""

    @app.get("/api/health", responses=answers_of())
    async def health(registry: InRegistry) -> Status:
        """The server is there, and so is its store (else 503): for a monitor."""
        await asyncio.to_thread(registry.store.find_pass, b"", session=False)
        return Status(status="ok")

    @app.get("/api/version")
    async def version(request: Request) -> Version:
        """Which server this is."""
        # Which addresses this machine has is told to those who sit at it, and to nobody else.
        near = request.client is not None and is_loopback(request.client.host)
        addresses = settings.addresses() if near else []
        return Version(version=__version__, build=build, public_url=settings.public_url, reach=settings.reach, addresses=addresses)

    described: list[bytes] = []  # the same for everybody, and long: made once
    schemas: list[bytes] = []

    @app.get("/api/games", responses={200: {"model": list[GameInfo]}}, response_class=JSONResponse)
    async def games() -> Response:
        """The games, with options, components and bots."""
        if not described:
            described.append(encode([_describe(settings, name) for name in playable()]))
        return Response(described[0], media_type="application/json")

    @app.get("/api/schema", response_class=JSONResponse)
    async def schema() -> Response:
        """This protocol as JSON Schema (`protocol`), and for each of `games` its `view` and its `events`."""
        if not schemas:
            schemas.append(encode({"protocol": json_schema(), "games": game_schemas()}))
        return Response(schemas[0], media_type="application/json")


def _add_metrics(app: FastAPI) -> None:
    @app.get("/metrics", include_in_schema=False)
    async def metrics(registry: InRegistry) -> Response:
        return PlainTextResponse(text_of(registry), headers={"cache-control": "no-store"}, media_type="text/plain; version=0.0.4")


def _add_texts(app: FastAPI, settings: Settings) -> None:
    @app.get("/api/components/{game}", response_class=PlainTextResponse, responses=answers_of(404))
    async def components(game: Annotated[str, InPath(pattern="^[a-z]{1,40}$")]) -> Response:
        """The components of a game as the TOML file that comes with it: a sample for one of one's own."""
        if game not in playable():
            raise problem(404, "not_found", "there is no such game")
        text = settings.find(game).data.read_text(encoding="utf-8")
        return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{game}.toml"'})

    @app.get("/api/rules/figures/{name}", responses=answers_of(404), response_class=FileResponse)
    async def figure(name: Annotated[str, InPath(pattern=r"^[a-z0-9-]{1,60}\.svg$")]) -> Response:
        """A figure of a rules page."""
        path = settings.rules / "figures" / name
        if not path.is_file():
            raise problem(404, "not_found", "there is no such figure")
        return FileResponse(path, media_type="image/svg+xml", headers={"cache-control": "no-cache"})

    @app.get("/api/rules/{lang}/{game}", responses=answers_of(404), response_class=PlainTextResponse)
    async def rules(lang: Annotated[str, InPath(pattern="^[a-z]{2}$")], game: Annotated[str, InPath(pattern="^[a-z]{1,40}$")]) -> Response:
        """The rules of a game as Markdown; in English where a translation is missing (`content-language` says so)."""
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
        "puzzles": len(puzzles.listed(name)),
    }


def _shown(table: Table) -> TableShown:
    return TableShown(
        table=table.ident,
        game=table.opening["game"],
        title=table.game_type.title,
        seats=[SeatInfo(**seat.describe()) for seat in table.seats],
        options=table.opening["options"],
        clock=ClockRules(**table.opening["clock"]),
        over=table.over,
        waiting_for=table.waiting_for,
        arranged=table.plan is not None,
    )


async def _mine(registry: TableRegistry, ident: str, session: str) -> Standing:
    found = await registry.session(session, ident)
    if found is None:
        return Standing(table=ident, there=False)
    try:
        table = await registry.peek(ident)
    except (NotFound, Damaged, GameError):
        return Standing(table=ident, there=False)
    clocks = table.clocks(registry.settings.now())
    return Standing(
        table=ident,
        there=True,
        seat=found.seat,
        turn=table.turn,
        over=table.over,
        seats=[SeatInfo(**seat.describe()) for seat in table.seats],
        undo_waiting=sorted(table.ask.waiting) if table.ask is not None else [],
        clocks=None if clocks is None else Clocks(**clocks),
        result=None if table.result is None else Result(**table.result.shown(), tally=None),
        changed=int(table.entries[-1]["at"]),
    )


def _add_tables(app: FastAPI) -> None:
    """Everything about tables; long because each way in is a function within."""

    @app.get("/api/tables")
    async def lobby(registry: InRegistry) -> list[TableShown]:
        """The lobby: running tables with an open seat, newest first."""
        shown = []
        for stored in await registry.lobby():
            with contextlib.suppress(NotFound, Damaged, GameError):
                shown.append(_shown(await registry.peek(stored.ident)))
        return shown

    @app.post("/api/mine", responses=answers_of())
    async def mine(registry: InRegistry, asked: MineAsked) -> list[Standing]:
        """How one's tables stand."""
        return [await _mine(registry, one.table, one.session) for one in asked.sessions]

    @app.post("/api/tables", responses=answers_of())
    async def make(registry: InRegistry, asked: TableAsked, request: Request) -> MadeTable:
        """Make a table; 422 with `entry` for bad options."""
        if not await registry.may_make(client_of(request.scope)):
            raise problem(429, "too_many_tables", "too many tables were made from here; wait a while")
        return MadeTable(**await registry.make(asked.model_dump(), client_of(request.scope)))

    @app.get("/api/tables/{ident}", responses=answers_of(404, 409))
    async def show(registry: InRegistry, live: AtTable, authorization: Authorization = None) -> TableShown:
        """What may be known of a table without a key; and which seat a key opens, for who asks before he sits down."""
        found = await registry.opened_by(bearer(authorization), live.table.ident)
        return _shown(live.table).model_copy(update={"seat": found and found.seat})

    @app.delete("/api/tables/{ident}", responses=answers_of(401, 404, 409))
    async def delete(registry: InRegistry, live: AtTable, session: Session) -> Status:
        """Delete a table (a seat's session as Bearer): over, not begun, or without another person; otherwise 409."""
        await registry.delete(live, session.seat)
        return Status(status="deleted")


def _add_seats(app: FastAPI) -> None:
    @app.post("/api/tables/{ident}/session", responses=answers_of(401, 404, 409))
    async def exchange(
        registry: InRegistry, live: AtTable, asked: NameAsked | None = None, authorization: Authorization = None
    ) -> SessionMade:
        """Exchange a key (as Bearer) for a session. Links carry the key in the URL's *fragment* (`/t/ID#KEY`), so that it reaches no log
        and no referrer. A key can be exchanged again (a second device), a session serves only its table.
        """
        made = await registry.exchange(live, bearer(authorization), asked.name if asked else None, asked.beside if asked else None)
        if made is None:
            raise problem(401, "key", "this key does not open a seat of this table")
        return SessionMade(**made)

    @app.post("/api/tables/{ident}/sit", responses=answers_of(404, 409))
    async def sit(registry: InRegistry, live: AtTable, asked: SitAsked) -> SessionMade:
        """Take an open seat of the lobby."""
        return SessionMade(**await registry.sit(live, asked.seat, asked.name))


def _add_ends(app: FastAPI) -> None:
    @app.get("/api/tables/{ident}/record", responses=answers_of(404, 409), response_class=PlainTextResponse)
    async def record(live: AtTable) -> Response:
        """The record of a finished game as text; a running one: 409."""
        async with live.lock:
            table = live.table
            if not table.over:
                raise problem(409, "running", "a running game has no record yet")
            text = records.write(table.game, table.result)
        return PlainTextResponse(text, headers={"content-disposition": f'attachment; filename="{table.opening["game"]}-{table.ident}.txt"'})

    @app.post("/api/tables/{ident}/rematch", responses=answers_of(401, 403, 404, 409))
    async def rematch(registry: InRegistry, live: AtTable, session: Session, asked: RematchAsked, request: Request) -> MadeTable:
        """A new table with swapped seats (a session as Bearer). Whoever asks first may hand on links to the others;
        whoever asks second gets his own key to the same table, and the other to his seat is void; who watches gets a
        key to watch it, once a player has asked.
        """
        if session.seat is None:
            followed = await registry.follow(live)
            if followed is None:
                raise problem(403, "no_seat", "only a player can ask for a rematch")
            return MadeTable(**followed)
        if not await registry.may_make(client_of(request.scope)):
            raise problem(429, "too_many_tables", "too many tables were made from here; wait a while")
        return MadeTable(**await registry.rematch(live, session.seat, asked.handicap, asked.cards))


def _add_replays(app: FastAPI, settings: Settings) -> None:
    def admit(request: Request) -> Replays:
        replays: Replays = request.app.state.replays
        if not replays.buckets.take(client_of(request.scope)):
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

    @app.get("/api/tables/{ident}/replay", responses={**answers_of(404, 409), 200: {"model": ReplayShown}}, response_class=JSONResponse)
    async def replay(request: Request, live: AtTable, watcher: Watcher = "public") -> Response:
        """A finished game as a seat saw it (`public`: a spectator, `open`: all cards); a running one: 409."""
        replays = admit(request)
        async with live.lock:
            table = live.table
            if not table.over:
                raise problem(409, "running", "a running game cannot be looked at again yet")
            text, seats = records.write(table.game, table.result), [seat.describe() for seat in table.seats]
        return await played(replays, request, text, watcher, seats)

    body = {"required": True, "content": {"text/plain": {"schema": {"type": "string"}}}}

    @app.post(
        "/api/replay",
        responses={**answers_of(409), 200: {"model": ReplayShown}},
        response_class=JSONResponse,
        openapi_extra={"requestBody": body},
    )
    async def replay_text(request: Request, watcher: Watcher = "public") -> Response:
        """The same for a record handed in as text (at most 1 MB): 422 `bad_record` with `params` if it does not hold by the rules, 409 if
        the game has not ended, 422 `too_long` if it takes too long to play again.
        """
        replays = admit(request)
        try:
            text = (await request.body()).decode()
        except UnicodeDecodeError:
            raise records.BadRecord(1, "beginning") from None
        return await played(replays, request, text, watcher)

    @app.get("/api/record", responses=answers_of(404), response_class=PlainTextResponse)
    async def shown_record() -> Response:
        """The file that `drunemeton replay FILE` shows; 404 elsewhere."""
        if settings.record is None:
            raise problem(404, "not_found", "this server was not started to show a record")
        return PlainTextResponse(settings.record.read_text(encoding="utf-8"))


def _add_pages(app: FastAPI, settings: Settings) -> None:
    @app.get("/api/{rest:path}", include_in_schema=False)
    async def nothing(rest: str) -> Response:
        return error(404, "not_found", "there is nothing here")

    docs = documentation.folder()

    @app.get("/docs", include_in_schema=False)
    @app.get("/docs/{name:path}", include_in_schema=False)
    async def document(name: str = "") -> Response:
        if docs is not None and "\0" not in name:
            if shown := documentation.picture(docs, name):
                return FileResponse(shown, media_type=documentation.PICTURES[shown.suffix])
            if text := documentation.page(docs, name):
                return HTMLResponse(text, headers={"cache-control": "no-cache"})
        return error(404, "not_found", "there is no such page; /docs lists them")

    @app.get("/{rest:path}", include_in_schema=False)
    @app.head("/{rest:path}", include_in_schema=False)
    async def page(rest: str, request: Request) -> Response:
        return front(settings, request)
