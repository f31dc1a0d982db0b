"""The protocol is described once: the page's types and the documentation are made from it, and what is sent fits it."""

from __future__ import annotations

import json
from typing import Any, get_args

import jsonschema_rs
import pytest
from pydantic import ValidationError

from drunemeton.client import ask
from drunemeton.rules.game import find_game, playable
from drunemeton.rules.kernel import SPECTATOR
from drunemeton.server import http_bodies, protocol_page, schemas
from drunemeton.server.closings import CLOSINGS, BadMessage
from drunemeton.server.protocol import CLIENT_MESSAGES, COSTS, SaidHello, SaidMove, parse

from .house import TWO, CheckedClient, House, play_on, rng, sent


def test_types_and_tables_are_made_from_the_description() -> None:
    again = "run `python -m drunemeton.server.protocol_page`"
    assert protocol_page.TYPES.read_text(encoding="utf-8") == protocol_page.typescript(), again
    text = protocol_page.PAGE.read_text(encoding="utf-8")
    assert text == protocol_page.page(text), again
    assert protocol_page.GAMES_PAGE.read_text(encoding="utf-8") == protocol_page.games_page(), again


def test_every_route_and_shape_says_what_it_is() -> None:
    assert not protocol_page.undescribed()
    assert not [shape.__name__ for shape in schemas.shapes() if not shape.__doc__]


def test_what_no_description_names_is_noticed() -> None:
    """The check that all tests' clients make has teeth."""
    fine = {"type": "ack", "id": "x", "revision": 1}
    sent.validate_python(fine)
    for wrong in ({**fine, "card": "s5<"}, {"type": "ack", "id": "x"}, {"type": "told", "id": "x"}):
        with pytest.raises(ValidationError):
            sent.validate_python(wrong)


@pytest.mark.parametrize("game", playable())
def test_all_that_is_sent_fits_the_description(house: House, game: Any) -> None:
    made = house.table(TWO, game, clock={"kind": "game", "seconds": 10_000})
    with house.players(made) as clients, CheckedClient.join(made["watch_link"]) as watcher:
        play_on([*clients, watcher], rng(), 12)
        mover = next(client for client in clients if client.my_turn)
        mover.preview(mover.state["legal"][0])
        mover.undo()
        mover.do("bot_takes")
        mover.do("bot_returns")
        assert mover.do("ping")["type"] == "pong"
        mover.resign()
        shown = ask(f"{house.url}/api/tables/{made['table']}/replay?as=open")
        http_bodies.ReplayShown.model_validate(json.loads(json.dumps(shown)), strict=True)
    [http_bodies.GameInfo.model_validate(one) for one in ask(f"{house.url}/api/games")]
    for listed in ask(f"{house.url}/api/puzzles/{game}")[:3]:
        http_bodies.PuzzleShown.model_validate(ask(f"{house.url}/api/puzzles/{game}/{listed['id']}"))
    for figure in ask(f"{house.url}/api/lessons/{game}/figures"):
        http_bodies.FigureShown.model_validate(figure)


def test_costs_are_told(house: House) -> None:
    made = house.table()
    with CheckedClient.join(made["links"][0]) as client:
        welcome = client.state
    assert welcome["allowance"]["costs"] == COSTS
    assert {get_args(kind.model_fields["type"].annotation)[0] for kind in CLIENT_MESSAGES} > set(COSTS)
    assert COSTS["undo"] > 1


def test_messages_are_read_as_they_are_described() -> None:
    assert parse('{"type": "move", "id": "a", "revision": 3, "move": "1<", "more": 1}', 4096) == SaidMove(
        type="move", id="a", revision=3, move="1<"
    )
    assert parse('{"type": "hello", "session": "s", "revision": null}', 4096) == SaidHello(
        type="hello", session="s", revision=None, build=None, beside=[]
    )
    for text in ('{"type": "hello"}', '{"type": "move", "id": "a", "revision": 3.0, "move": "1<"}', '{"type": "undo_answer", "id": "a"}'):
        with pytest.raises(BadMessage):
            parse(text, 4096)


def test_every_reason_to_be_sent_away_has_a_sentence() -> None:
    assert all(one.sentence and 1000 <= one.code < 5000 for one in CLOSINGS.values())


@pytest.mark.parametrize("name", playable())
def test_views_and_events_of_every_game_fit_their_schemas(name: str) -> None:
    kind = find_game(name)
    view = jsonschema_rs.validator_for(schemas.view_schema(kind))
    events = {one["properties"]["kind"]["const"]: jsonschema_rs.validator_for(one) for one in schemas.event_schemas(kind)}
    seen = set()
    for seats in range(kind.players[0], kind.players[1] + 1):
        choose = rng(seats)
        game = kind.new(seats=seats, seed=seats)
        while not game.over and len(game.steps) < 150:
            for watcher in (0, SPECTATOR):
                view.validate(game.view(watcher))
            game.play(choose.choice(game.legal()))
        for watcher in (0, SPECTATOR):
            for event in game.events(watcher):
                events[event["kind"]].validate(event)
                seen.add(event["kind"])
    assert len(seen) > len(events) / 3
    with pytest.raises(jsonschema_rs.ValidationError):
        view.validate(game.view(0) | {"secret": 1})


def test_the_schema_is_served(house: House) -> None:
    told = ask(f"{house.url}/api/schema")
    assert set(told["games"]) == set(playable())
    assert "SaidMove" in told["protocol"]["$defs"]
