"""A cluster that is killed, paused and cut from its database while people play; `make faults` does more of it."""

from __future__ import annotations

import random

import pytest

from drunemeton.store.postgres import LEASE_SECONDS, PostgresStore

from ..cluster.faults import WRONG, History, differences, run
from ..cluster.wires import allowed
from ..postgres import PrivatePostgres
from .house import House, play_on, rng

pytestmark = pytest.mark.proof


def test_nothing_is_lost_twice_or_told_to_the_wrong_seat() -> None:
    found = run({"kill": 8, "pause": 3, "restart": 2}, tables=4)
    assert found["acknowledged"] > 100
    assert {what: found[what] for what in WRONG} == dict.fromkeys(WRONG, 0)


def test_wires_are_cut_and_the_disk_is_full() -> None:
    if not allowed():
        pytest.skip("cutting wires and filling disks needs root and `ip`")
    found = run({"cut": 2, "fill": 2}, tables=4)
    assert found["acknowledged"] > 50
    assert min(found["away"]["cut"], default=LEASE_SECONDS) > LEASE_SECONDS / 2, "a wire that is cut carries nothing"
    assert {what: found[what] for what in WRONG} == dict.fromkeys(WRONG, 0)


def test_a_writer_that_looks_neither_at_epochs_nor_at_numbers_is_found() -> None:
    found = run({"pause": 8}, tables=4, planted=True)
    assert sum(found[what] for what in WRONG)


def test_the_checker_has_teeth(database: PrivatePostgres, settings: object) -> None:
    from drunemeton.server import Settings

    assert isinstance(settings, Settings)
    where = database.fresh()
    with House(settings, database=where) as house:
        made = house.table()
        with house.players(made) as clients:
            play_on(clients, rng(), 6)
            revision, view = clients[0].state["revision"], clients[0].state["view"]
        store = PostgresStore(where, "127.0.0.1:1")
        import json

        right = History(made["table"], 0, shown={revision: [json.dumps(view, sort_keys=True)]})
        assert not any(differences(store, [right], random.Random(1))[what] for what in WRONG)
        others = History(made["table"], 1, shown=right.shown)
        assert differences(store, [others], random.Random(1))["wrong views"] == 1
        promised = History(made["table"], 0, acknowledged={revision: "never written", 999: "beyond"})
        assert differences(store, [promised], random.Random(1))["lost"] == 2
        store.close()
