"""Finished games looked at again: whole, from every seat, within limits; and hostile records are answered with what is wrong."""

from __future__ import annotations

import json
import logging
import random
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from drunemeton import records
from drunemeton.client import Client, ServerError, ask
from drunemeton.records.frames import changed, changes, frames
from drunemeton.rules.chance import Chance
from drunemeton.rules.game import Result, find_game, playable
from drunemeton.rules.kernel import OPEN, SPECTATOR
from drunemeton.server import Settings

from .house import PEOPLE, House, play_on, rng

LONG = 70  # moves of a game with a large view; then somebody gives up


def finished(name: str, seats: Any = None, seed: int = 1) -> Any:
    """The record of a game played at random; a long one is left early."""
    chooser = random.Random(seed)
    kind = find_game(name)
    game = kind(seats or kind.players[0], None, None, Chance(chooser.randbytes(32)))
    while not game.over:
        game.play(chooser.choice(game.actions()))
        if name == "daemonen" and len(game.steps) > LONG:
            return game, records.write(game, Result("resigned", (1, 2)))
    return game, records.write(game)


def post(house: House, text: str | bytes, watcher: str = "open") -> Any:
    """Hand a record in."""
    data = text if isinstance(text, bytes) else text.encode()
    request = urllib.request.Request(f"{house.url}/api/replay?as={watcher}", data=data, headers={"content-type": "text/plain"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as problem:
        with problem:
            return problem.code, json.loads(problem.read())["error"]


def views(answer: Any) -> Iterator[Any]:
    """The views of a replay, as the page makes them."""
    view = answer["view"]
    yield json.dumps(view, sort_keys=True)
    for frame in answer["frames"][1:]:
        view = changed(view, frame["changes"])
        yield json.dumps(view, sort_keys=True)


@pytest.mark.parametrize("name", playable())
def test_frames_are_what_each_watcher_saw_at_the_time(name: str) -> None:
    """The same game played live: every view and every event, step by step, for every seat, the public and the open view."""
    game, text = finished(name, {"celtica": 4}.get(name))
    record = records.read(text)
    live = type(game)(game.seats, game.options, game.components, game.chance)
    watchers = [*live.watchers, OPEN]
    shown = {watcher: json.loads(json.dumps(frames(record, watcher))) for watcher in watchers}
    walks = {watcher: views(shown[watcher]) for watcher in watchers}
    for number, step in enumerate(game.steps):
        if number:
            live.play(step.move)
        for watcher in watchers:
            assert next(walks[watcher]) == json.dumps(live.view(watcher), sort_keys=True)
            events = [event for event in live.events(watcher, since=number) if event["kind"] != "order"]
            assert shown[watcher]["frames"][number]["events"] == json.loads(json.dumps(events))
            move = shown[watcher]["frames"][number]["move"]
            assert move == (step.move if watcher in {OPEN, step.seat} else None)
    for watcher in watchers:
        assert next(walks[watcher], None) is None
        assert shown[watcher]["shuffles"] == {"verdict": "audited", "line": None}


def test_changes_lead_from_any_value_to_any_other() -> None:
    chooser = random.Random(4)

    def value(depth: int) -> Any:
        kind = chooser.randrange(4 if depth else 2)
        if kind == 2:
            return [value(depth - 1) for _ in range(chooser.randrange(4))]
        if kind == 3:
            return {name: value(depth - 1) for name in chooser.sample(["length", "a", "b", "0"], chooser.randrange(4))}
        return [None, chooser.randrange(3)][kind]

    for _ in range(3000):
        old, new = ({"x": value(3)} for _ in range(2))
        done = list(changes(old, new))
        assert repr(_sorted(changed(json.loads(json.dumps(old)), done))) == repr(_sorted(new))
        assert list(changes(new, new)) == []


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _sorted(value[name]) for name in sorted(value)}
    return [_sorted(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", playable())
def test_a_finished_table_is_replayed_from_everywhere(house: House, name: str) -> None:
    kind = find_game(name)
    made = house.table(game=name)
    with house.players(made) as clients, Client.join(made["watch_link"]) as watcher:
        play_on(clients, rng(), LONG)
        if not clients[0].over:
            clients[0].resign()
        while not watcher.over:
            watcher.receive()
        told, last = watcher.told, watcher.state["view"]
    text = ask(f"{house.url}/api/tables/{made['table']}/record")
    for who in ("open", "public", *kind.seat_names[: kind.players[0]]):
        answer = ask(f"{house.url}/api/tables/{made['table']}/replay?as={who}")
        assert answer["as"] == who
        assert answer["seat"] == (kind.seat_names.index(who) if who in kind.seat_names else None)
        assert [seat["name"] for seat in answer["seats"]] == [one["name"] for one in PEOPLE[: kind.players[0]]]
        status, handed_in = post(house, text, who)
        assert status == 200
        assert handed_in | {"seats": 0} == answer | {"seats": 0}
        if who == "public":
            *_, final = views(answer)
            assert json.loads(final) == last
            events = [event for frame in answer["frames"] for event in frame["events"]]
            assert events[-len(told) :] == told


def test_a_running_game_cannot_be_replayed(house: House) -> None:
    made = house.table()
    with house.players(made) as clients:
        play_on(clients, rng(), 5)
        for who in ("open", "public", "sun", "moon"):
            with pytest.raises(ServerError, match="running") as refused:
                ask(f"{house.url}/api/tables/{made['table']}/replay?as={who}")
            assert refused.value.status == 409
        text = records.write(house.registry.tables[made["table"]].table.game)
        status, problem = post(house, text)
        assert (status, problem["code"], problem["params"]["code"]) == (409, "bad_record", "running")
        clients[0].resign()
        answer = ask(f"{house.url}/api/tables/{made['table']}/replay?as=sun")
        assert answer["result"] == {"end": "resigned", "places": [2, 1]}
        assert len(answer["frames"]) == 6


def test_one_seat_is_not_another(house: House) -> None:
    _, text = finished("druidenwalzer")
    _, answer = post(house, text, "sun")
    hands = list(views(answer))
    assert all(card in {None, "?"} for view in hands for card in json.loads(view)["hand"]["moon"])
    assert any(card not in {None, "?"} for view in hands for card in json.loads(view)["hand"]["sun"])
    drawn = [event for frame in answer["frames"] for event in frame["events"] if event["kind"] == "drawn"]
    assert all((event["card"] is None) == (event["seat"] == "moon") for event in drawn)
    _, answer = post(house, text, "public")
    assert all(card in {None, "?"} for view in views(answer) for hand in json.loads(view)["hand"].values() for card in hand)


def test_a_wrong_secret_is_told_and_the_game_is_shown(house: House) -> None:
    game, text = finished("druidenwalzer")
    other = Chance(b"o" * 32)
    assert isinstance(game.chance, Chance)
    status, answer = post(house, text.replace(game.chance.secret.hex(), other.secret.hex()))
    assert (status, answer["shuffles"]["verdict"]) == (200, "commitment")
    forged = text.replace(game.chance.secret.hex(), other.secret.hex()).replace(game.chance.commitment, other.commitment)
    status, answer = post(house, forged)
    assert (status, answer["shuffles"]["verdict"]) == (200, "shuffle")
    status, answer = post(house, "\n".join(line for line in text.splitlines() if not line.startswith("secret")))
    assert (status, answer["shuffles"], answer["secret"]) == (200, {"verdict": "unknown", "line": None}, None)


def test_bad_records_are_refused_with_their_line(house: House) -> None:
    _, text = finished("druidenwalzer")
    lines = text.splitlines()
    for bad, line, code in [
        ("", 1, "beginning"),
        ("hello", 1, "beginning"),
        (b"\xff\xfe", 1, "beginning"),
        (text.replace("\n5 ", "\n6 "), next(n for n, one in enumerate(lines, 1) if one.startswith("5 ")), "step"),
        (text.replace('"kind": "drawn"', '"kind": "eaten"', 1), None, "story"),
        (text.replace("seats 2", "seats " + "9" * 5000), 4, "number"),
        (text.replace("options {", 'options {"x": ' + "9" * 5000 + ", "), 5, "unreadable"),
        (text.replace("options {", "options " + "[" * 5000), 5, "unreadable"),
        (text.replace("commitment ", "commitment ä"), None, None),
    ]:
        status, problem = post(house, bad)
        if code is None:
            assert (status, problem["shuffles"]["verdict"]) == (200, "commitment")
            continue
        assert (status, problem["code"], problem["params"]["code"]) == (422, "bad_record", code)
        assert line is None or problem["params"]["line"] == line


@pytest.fixture
def patient(settings: Settings, caplog: pytest.LogCaptureFixture) -> Iterator[Any]:
    """A server that never has enough."""
    caplog.set_level(logging.INFO, logger="drunemeton.server")
    with House(replace(settings, replays_burst=1000)) as running:
        yield running
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize("name", playable())
def test_mangled_records_bring_no_surprise(patient: Any, name: str) -> None:
    """Whatever stands in a record: it is shown, or refused with a line."""
    _, text = finished(name)
    chooser = random.Random(7)
    odd = ["", "-1", "0", "99999999", "null", "{}", "[]", '"x"', "true", "1e999", "NaN", "\0", "ä", "sun", "red", "  shuffle", "  told {}"]
    lines = text.splitlines()
    seen = set()
    for _ in range(60):
        mangled = list(lines)
        at = chooser.choice([chooser.randrange(8), chooser.randrange(len(lines))])
        words = mangled[at].split(" ")
        words[chooser.randrange(len(words))] = chooser.choice(odd)
        mangled[at] = " ".join(words)
        status, answer = post(patient, "\n".join(mangled), chooser.choice(["open", "public"]))
        assert status in {200, 409, 422}, (status, mangled[at], answer)
        seen.add(status)
    assert 422 in seen


def test_limits(settings: Settings, tmp_path: Path) -> None:
    _, text = finished("druidenwalzer")
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8")
    with House(replace(settings, record_bytes=len(text) + 10, replays_burst=4, replays_per_minute=0.001, record=path)) as house:
        assert post(house, text + "\n" * 20)[0] == 413
        assert ask(f"{house.url}/api/record") == text
        assert post(house, text)[0] == 200
        assert post(house, text, "sun")[0] == 200
        assert post(house, text, "wizard")[0] == 422
        assert post(house, text, "SUN!")[0] == 422
        assert post(house, text)[0] == 200
        assert post(house, text)[0] == 429
    with House(replace(settings, replay_seconds=0.0)) as house:
        status, problem = post(house, text)
        assert (status, problem["code"]) == (422, "too_long")
        with pytest.raises(ServerError) as refused:
            ask(f"{house.url}/api/record")
        assert refused.value.status == 404


def test_only_two_can_leave_early() -> None:
    """A result that the table cannot have given is refused by the frames as by `verify`."""
    kind = find_game("celtica")
    game = kind(3, None, None, Chance(b"c" * 32))
    game.play(game.actions()[0])
    text = records.write(game, Result("resigned", (1, 2, 3)))
    with pytest.raises(records.BadRecord, match="the result is open"):
        frames(records.read(text), SPECTATOR)
