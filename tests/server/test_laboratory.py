"""The laboratory on a server: what is asked for is played behind everybody's moves, bounded, and not at all in public."""

from __future__ import annotations

import http.client
import json
from dataclasses import replace
from typing import Any

from drunemeton import records
from drunemeton.server import Settings

from ..patience import PATIENCE
from .house import House

SMALL: dict[str, Any] = {"trees": 2, "stack": 2, "hand": 2, "tokens_to_conquer": 2, "trees_to_lose": 1}
ASKED: dict[str, Any] = {"game": "druidenwalzer", "players": ["random", "random"], "deals": 40, "options": SMALL}


def call(house: House, method: str, path: str, body: Any = None) -> tuple[int, str]:
    """A request's status and text."""
    connection = http.client.HTTPConnection("127.0.0.1", house.settings.port, timeout=4 * PATIENCE)
    try:
        text = None if body is None else json.dumps(body)
        connection.request(method, path, text, {"content-type": "application/json"} if text else {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def said(house: House, run: str) -> list[tuple[str, Any]]:
    """All that is said of a run until it is over."""
    status, text = call(house, "GET", f"/api/lab/{run}/events")
    assert status == 200
    found = []
    for event in filter(None, text.split("\n\n")):
        lines = dict(line.split(": ", 1) for line in event.splitlines())
        if "data" in lines:
            found.append((lines["event"], json.loads(lines["data"])))
    return found


def test_an_experiment_is_played_and_one_of_its_games_can_be_replayed(house: House) -> None:
    assert json.loads(call(house, "GET", "/api/lab")[1])["open"]
    status, begun = call(house, "POST", "/api/lab", {**ASKED, "vary": [{"set": "hand", "to": [1]}]})
    assert status == 200
    run = json.loads(begun)["run"]
    kind, last = said(house, run)[-1]
    assert kind == "done"
    assert not last["cut"]
    result = last["result"]
    assert [one["name"] for one in result["experiment"]["settings"]] == ["default", "hand=1"]
    assert result["deals"] == 40
    deal = result["extremes"][1]["longest"]
    status, record = call(house, "GET", f"/api/lab/{run}/game?deal={deal}&setting=hand%3D1")
    assert status == 200
    assert records.verify(records.read(record)).result is not None
    assert call(house, "GET", f"/api/lab/{run}/game?deal=41")[0] == 404
    assert call(house, "GET", "/api/lab/nobody/events")[0] == 404


def test_what_is_asked_for_is_bounded(house: House) -> None:
    for wrong in (
        {"deals": house.settings.lab_deals + 1},
        {"deals": house.settings.lab_deals, "mirrored": True},
        {"players": ["os:system", "random"]},
        {"players": ["level-8", "random"]},
        {"vary": [{"set": "hand", "to": [1, 2]}, {"set": "draw_after", "to": list(range(12))}]},
        {"vary": [{"set": "dragons", "to": [1]}]},
        {"vary": [{"file": ["/etc/passwd"]}]},
        {"game": "chess"},
    ):
        assert call(house, "POST", "/api/lab", {**ASKED, **wrong})[0] == 422, wrong


def test_one_at_a_time_and_it_can_be_ended(house: House) -> None:
    long = {**ASKED, "players": ["greedy", "greedy"], "options": {}, "deals": 2000}
    run = json.loads(call(house, "POST", "/api/lab", long)[1])["run"]
    assert json.loads(call(house, "POST", "/api/lab", ASKED)[1])["error"]["code"] == "lab_busy"
    assert call(house, "DELETE", f"/api/lab/{run}")[0] == 200
    assert said(house, run)[-1][0] == "failed"


def test_in_public_there_is_none_unless_the_host_allows_it(settings: Settings) -> None:
    public = replace(settings, lab=None, public_url="https://druids.example")
    for chosen, code in ((public, 403), (replace(public, lab=True), 422), (replace(settings, lab=False), 403)):
        with House(chosen) as house:
            assert json.loads(call(house, "GET", "/api/lab")[1])["open"] == (code == 422)
            assert call(house, "POST", "/api/lab", {**ASKED, "game": "chess"})[0] == code
