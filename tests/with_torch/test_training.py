"""Learning learns, in a small game on the processor; what is learnt leaves as whole numbers and plays by them."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from drunemeton.bots.arena import playing_on
from drunemeton.bots.reflex import UNIT, WEIGHT, Reflex, encoding_of
from drunemeton.rules.errors import GameError
from drunemeton.training.apprentice import AT_ONCE, watch
from drunemeton.training.network import Network
from drunemeton.training.run import CURVE, Plan, Training, win_share
from drunemeton.training.selfplay import Dials, Learner, judged, play, turned
from drunemeton.training.tables import HELD_OUT, ProcessorTables, first_places, make_tables

SMALL = {"trees": 2, "stack": 2, "hand": 2, "tokens_to_conquer": 2, "trees_to_lose": 1}
CPU = torch.device("cpu")
torch.set_num_threads(1)  # as the command does on a processor


def plan(updates: int, seed: int = 1) -> Plan:
    dials = Dials(rate=2e-3, batch=1024)
    return Plan("druidenwalzer", (2,), updates, (256,), 16, 64, 1, seed, 1000, 128, SMALL, 0, 0, dials=dials)


def against_random(run: Training) -> float:
    return win_share(run.network, make_tables("druidenwalzer", 2, 512, HELD_OUT, CPU, opponents="random", options=SMALL))


def test_the_strength_is_the_same_wherever_it_is_played(tmp_path: Path) -> None:
    run = Training.begin(tmp_path / "run", replace(plan(1), judged_games=200), "cpu")
    alone = run.strength(2)
    assert 0 < alone < 1
    run.hands = 2
    with playing_on("ray"):
        assert run.strength(2) == alone


def test_learning_learns(tmp_path: Path) -> None:
    run = Training.begin(tmp_path / "run", plan(24), "cpu")
    before = against_random(run)
    told = list(run.learn())
    assert before < 0.65
    assert against_random(run) > before + 0.15
    assert [one.updates for one in told] == list(range(1, 25))
    lines = (tmp_path / "run" / CURVE).read_text(encoding="utf-8").splitlines()
    assert len(lines) == 24
    assert "greedy_2" in json.loads(lines[-1])["told"]


def test_a_run_begins_with_what_another_has_learnt(tmp_path: Path) -> None:
    first = Training.begin(tmp_path / "first", plan(3), "cpu")
    list(first.learn())
    first.keep()
    weights = tmp_path / "first" / "weights.npz"
    second = Training.begin(tmp_path / "second", plan(1, seed=2), "cpu", weights)
    assert second.plan.start == json.loads((tmp_path / "first" / "result.json").read_text(encoding="utf-8"))["sha256"]
    same, shipped = second.reflex().arrays, Reflex.load(weights).arrays
    assert all(np.array_equal(same[name], shipped[name]) for name in shipped)
    with pytest.raises(GameError, match="wide"):
        Training.begin(tmp_path / "third", replace(plan(1), width=32), "cpu", weights)


def test_an_apprentice_does_what_it_saw() -> None:
    """Watching greedy for a few games brings a learner nearer to what greedy does."""
    with ThreadPoolExecutor(1) as pool:
        watched = watch(pool, "druidenwalzer", {}, (2,), 2 * AT_ONCE)
    torch.manual_seed(2)
    learner = Learner(Network(encoding_of("druidenwalzer"), 64, 1))
    before = learner.imitate(watched, 1, 256)["imitation"]
    assert before < 2.7  # of 32 actions only the dozen that are legal are weighed; of all of them it would be 3.4
    assert learner.imitate(watched, 24, 64)["imitation"] < 0.8 * before
    assert watched.won[:, :2].sum(1).tolist() == [1.0] * len(watched.won)


def test_a_run_may_only_watch_and_its_curve_begins_with_who_knew_nothing(tmp_path: Path) -> None:
    run = Training.begin(tmp_path / "run", replace(plan(0), options={}, watched=2 * AT_ONCE, epochs=1, judged_games=16), "cpu")
    assert list(run.learn()) == []
    first, then = (json.loads(line) for line in (tmp_path / "run" / CURVE).read_text(encoding="utf-8").splitlines())
    assert first["watched"] == 0 < then["watched"]
    assert {"greedy_2"} == set(first["told"]) < set(then["told"])
    assert Reflex.load(tmp_path / "run" / "weights.npz").about.game == "druidenwalzer"


def test_a_plan_fits_its_device() -> None:
    on = {device: Plan.sized(device, "celtica", (2, 3), None, None, updates=1) for device in ("cpu", "cuda")}
    assert on["cpu"].games == (256, 256)
    assert on["cuda"].games == (24_576, 24_576)
    assert on["cpu"].lesson < on["cuda"].lesson
    assert Plan.sized("cpu", "celtica", (2,), 7, 9, updates=1).judged_games == 9


def test_a_run_goes_on_where_it_stood_and_keeps_to_its_folder(tmp_path: Path) -> None:
    run = Training.begin(tmp_path / "run", plan(4), "cpu")
    for progress in run.learn():
        if progress.updates == 2:
            break
    run.keep()
    again = Training.resume(tmp_path / "run", "cpu")
    assert (again.updates, again.decisions, again.plan) == (2, run.decisions, run.plan)
    for mine, theirs in zip(run.network.parameters(), again.network.parameters(), strict=True):
        assert torch.equal(mine, theirs)
    assert [one.updates for one in again.learn()] == [3, 4]
    with pytest.raises(GameError, match="not empty"):
        Training.begin(tmp_path / "run", plan(4), "cpu")
    with pytest.raises(GameError, match="holds no run"):
        Training.resume(tmp_path, "cpu")


def test_the_same_seed_learns_the_same(tmp_path: Path) -> None:
    reflexes = []
    for name in ("one", "two"):
        run = Training.begin(tmp_path / name, plan(2, seed=5), "cpu")
        list(run.learn())
        reflexes.append(run.reflex())
    for name, array in reflexes[0].arrays.items():
        assert np.array_equal(array, reflexes[1].arrays[name]), name


def test_whole_numbers_say_what_the_network_says(tmp_path: Path) -> None:
    torch.manual_seed(3)
    network = Network(encoding_of("celtica"), 64, 2)
    torch.nn.init.normal_(network.policy.weight, std=0.1)
    network.reflex((2, 3), {"seed": 3}).save(tmp_path / "weights.npz")
    reflex = Reflex.load(tmp_path / "weights.npz")
    tables = ProcessorTables("celtica", 3, 64, 7)
    played = play(network, [tables], 20, 0.95)
    with torch.no_grad():
        scores, worth = network(played.rows)
    h = reflex.body(played.rows.numpy())
    actions = list(range(reflex.game.action_count))
    assert np.abs(reflex.scores(h, actions) / (UNIT * WEIGHT) - scores[:, actions].numpy()).max() < 0.02
    chances = torch.softmax(worth[:, :3], 1).numpy()
    assert np.abs(reflex.chances(h, 3) - chances).max() < 0.01


def test_sums_do_not_depend_on_their_order() -> None:
    torch.manual_seed(4)
    reflex = Network(encoding_of("celtica"), 64, 2).reflex((2,), {})
    rows = play(Network(encoding_of("celtica"), 16, 0), [ProcessorTables("celtica", 2, 16, 1)], 8, 0.95).rows.numpy()
    h = reflex.body(rows)
    shuffled = np.random.default_rng(1).permutation(h.shape[1])
    weights = reflex.arrays["value.weight"].astype(np.float64)
    assert np.array_equal(h @ weights.T, h[:, shuffled] @ weights[:, shuffled].T)
    assert np.array_equal(h, np.floor(h))


def test_values_are_counted_from_the_one_who_decides() -> None:
    by_seat = torch.tensor([[0.1, 0.2, 0.7], [0.1, 0.2, 0.7]])
    expected = torch.tensor([[0.1, 0.2, 0.7, 0.0, 0.0], [0.7, 0.1, 0.2, 0.0, 0.0]])
    assert torch.equal(turned(by_seat, torch.tensor([0, 2]), 3, 5), expected)


def test_first_places_are_shared() -> None:
    assert first_places(torch.tensor([[1.0, -1.0], [0.0, 0.0]])).tolist() == [[1.0, 0.0], [0.5, 0.5]]
    assert first_places(torch.tensor([[0.5, 0.5, -1.0]])).tolist() == [[0.5, 0.5, 0.0]]


def test_a_decision_is_judged_by_the_same_seats_next_one() -> None:
    """Seat 0 decides twice around a decision of seat 1, then the game ends and seat 0 has won."""
    said = [torch.tensor([[0.5, 0.5]]), torch.tensor([[0.9, 0.2]]), torch.tensor([[0.6, 0.4]])]
    movers = [torch.tensor([0]), torch.tensor([1]), torch.tensor([0])]
    goes_on, ends = (torch.tensor([False]), torch.zeros(1, 2)), (torch.tensor([True]), torch.tensor([[1.0, 0.0]]))
    advantages, targets = judged(said, movers, [goes_on, goes_on, ends], torch.tensor([[0.5, 0.5]]), 0.5)
    last = 1.0 - 0.6
    assert [round(float(one), 6) for one in advantages] == [round(0.6 - 0.5 + 0.5 * last, 6), -0.2, round(last, 6)]
    assert targets[2].tolist() == [[1.0, 0.0]]
