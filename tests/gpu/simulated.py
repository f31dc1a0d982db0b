"""Run by the tests below in a process of its own: Numba's simulator must be chosen before numba-cuda is imported."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from drunemeton.rules.game import find_game
from drunemeton.rules.kernel import CUDA, count_bits, lowest_bit, native, plain

from .same import compare_environments, device_table, outcomes, processor_digests

SHORT = {
    "druidenwalzer": ({"trees": 2, "stack": 1, "hand": 1, "tokens_to_conquer": 1, "trees_to_lose": 1}, None),
    "celtica": (None, None),
    "daemonen": (None, {"win": 2}),
}


def games(name: str) -> None:
    """Whole games at random are the processor's, after every decision and event by event."""
    table = device_table(name)
    assert np.array_equal(table.digests(3, 4), processor_digests(name, 3, 4))
    assert np.array_equal(table.digests(3, 2, events=True), processor_digests(name, 3, 2, events=True))


def bots(name: str) -> None:
    """`simulate` counts the same."""
    game = find_game(name)
    options, components = SHORT[name]
    if components is not None:
        components = {**game.default_components(), **components}
    players = ["random"] * game.players[1]
    both = [outcomes(game, players, 2 * len(players), on, options, components) for on in ("gpu", "cpu")]
    assert both[0] == both[1]
    if name == "druidenwalzer":
        both = [outcomes(game, ["greedy", "random"], 1, on, options) for on in ("gpu", "cpu")]
        assert both[0] == both[1]


def laboratory(name: str) -> None:
    """The laboratory looks at the same games, decision by decision."""
    from drunemeton.lab.tables import LabTable

    game = find_game(name)
    options, components = SHORT[name]
    there, here = (LabTable(game, ["random"] * game.players[0], options, components, on=on) for on in ("gpu", "cpu"))
    assert [there.play(deal, deal % 2) for deal in (3, 4)] == [here.play(deal, deal % 2) for deal in (3, 4)]


def environments(name: str) -> None:
    """Environments show the same."""
    compare_environments(name, 3, 40, opponents="self", autoreset="same_step")
    compare_environments(name, 2, 10, opponents="random", autoreset="next_step", seats=find_game(name).players[1])


def forms(_: str) -> None:
    """What the device spells differently means the same."""
    for fn in (count_bits, lowest_bit):
        there: Any = device_form(fn)
        for word in (1, 2, 3, 1 << 62, (1 << 63) - 1, 0b1011000, 12345678901234567):
            assert there(word) == plain(fn)(word), (fn.__name__, word)


def device_form(fn: object) -> object:
    twin = native(fn, target=CUDA)  # type: ignore[type-var]
    from drunemeton.rules.cuda import toolkit

    cuda = toolkit()

    def ask(word: int) -> int:
        found = np.zeros(1, np.int64)
        space = {"twin": twin, "cuda": cuda}
        exec("def run(word, found):\n    found[0] = twin(word)", space)
        cuda.jit(space["run"])[1, 1](word, found)
        return int(found[0])

    return ask


if __name__ == "__main__":
    {"games": games, "bots": bots, "environments": environments, "laboratory": laboratory, "forms": forms}[sys.argv[1]](sys.argv[2])
    print("the same")
