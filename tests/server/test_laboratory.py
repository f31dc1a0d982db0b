"""The laboratory on a server: what is asked for is played behind everybody's moves, bounded, and not at all in public."""

from __future__ import annotations

import http.client
import json
from dataclasses import replace
from typing import Any

from drunemeton import records
from drunemeton.server import Settings

from ..patience import PATIENCE, comes_true
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
    one = {name: result["experiment"]["settings"][1][name] for name in ("players", "options", "components")}
    status, record = call(house, "POST", "/api/lab/game", {"game": ASKED["game"], **one, "deal": deal})
    assert status == 200
    read = records.read(record)
    assert records.verify(read).result is not None
    assert read.options["hand"] == 1
    assert call(house, "POST", "/api/lab/game", {"game": ASKED["game"], **one, "players": ["os:system", "random"], "deal": 1})[0] == 422
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


def test_what_was_changed_together_is_one_setting(house: House) -> None:
    together = {"together": {"sun.5<": 5, "sun.1<": 1}, "name": "my deck"}
    run = json.loads(call(house, "POST", "/api/lab", {**ASKED, "vary": [together]})[1])["run"]
    settings = said(house, run)[-1][1]["result"]["experiment"]["settings"]
    assert [one["name"] for one in settings] == ["default", "my deck"]
    assert [settings[1]["components"]["sun"][card] for card in ("5<", "1<", "2<")] == [5, 1, 3]


def test_one_at_a_time_and_what_was_played_until_it_is_ended_is_told(house: House) -> None:
    long = {**ASKED, "players": ["greedy", "greedy"], "options": {}, "deals": 2000}
    run = json.loads(call(house, "POST", "/api/lab", long)[1])["run"]
    assert json.loads(call(house, "POST", "/api/lab", ASKED)[1])["error"]["code"] == "lab_busy"
    begun = house.app.state.laboratory.find(run)
    assert comes_true(lambda: begun.said)
    assert call(house, "DELETE", f"/api/lab/{run}")[0] == 200
    kind, last = said(house, run)[-1]
    assert kind == "done"
    assert last["cut"]
    assert 0 < last["result"]["deals"] < 2000
    assert any(name.startswith("use.") for name in last["result"]["measures"])


def test_in_public_there_is_none_unless_the_host_allows_it(settings: Settings) -> None:
    public = replace(settings, lab=None, public_url="https://druids.example")
    for chosen, code in ((public, 403), (replace(public, lab=True), 422), (replace(settings, lab=False), 403)):
        with House(chosen) as house:
            assert json.loads(call(house, "GET", "/api/lab")[1])["open"] == (code == 422)
            assert call(house, "POST", "/api/lab", {**ASKED, "game": "chess"})[0] == code
