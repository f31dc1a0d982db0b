"""OpenSpiel: its simulation test with serialisation, perfect recall, exact resampling, its own search, its own exploitability."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts

import drunemeton.envs.spiel
from drunemeton.envs.rollouts import RolloutEvaluator
from drunemeton.envs.spiel import DRAWS
from drunemeton.rules.errors import GameError
from drunemeton.rules.game import playable

SMALL = "trees:2;stack:1;hand:2;tokens_to_conquer:2;trees_to_lose:1;draw_after:4"
ALIKE = {"sun": {"1<": 2, "2<": 2, "3>": 1}, "moon": {"1<": 2, "2>": 1, "3<": 1, "4<": 1, "5>": 1}}


def small_deck(folder: Any) -> str:
    """A component file with decks of five cards."""
    path = folder / "small.toml"
    text = ""
    for seat, deck in ALIKE.items():
        text += f"[{seat}]\n" + "".join(f'"{card}" = {count}\n' for card, count in deck.items())
    path.write_text(text)
    return str(path)


def begin(game: Any, rng: random.Random, decisions: int = 0) -> Any:
    state = game.new_initial_state()
    while not state.is_terminal() and (state.is_chance_node() or decisions > 0):
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            decisions -= 1
    return state


@pytest.mark.parametrize("name", playable())
def test_the_simulation_test_is_content(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(f"drunemeton_{name}"), num_sims=1, serialize=True, verbose=False)


def test_explicit_chance_passes_too(tmp_path: Any, capfd: pytest.CaptureFixture[str]) -> None:
    parameters = {"options": SMALL, "components": small_deck(tmp_path)}
    pyspiel.random_sim_test(pyspiel.load_game("drunemeton_druidenwalzer_explicit", parameters), num_sims=5, serialize=True, verbose=False)
    pyspiel.random_sim_test(pyspiel.load_game("drunemeton_celtica_explicit", {"players": 3}), num_sims=1, serialize=True, verbose=False)


def test_a_deal_follows_from_seed_and_number() -> None:
    texts = []
    for seed in (1, 1, 2):
        state = pyspiel.load_game("drunemeton_druidenwalzer", {"seed": seed}).new_initial_state()
        for number in range(DRAWS):
            state.apply_action(number)
        for _ in range(12):
            state.apply_action(state.legal_actions()[0])
        texts.append(str(state))
    assert texts[0] == texts[1]
    assert texts[0] != texts[2]
    with pytest.raises(GameError, match="option trees"):
        pyspiel.load_game("drunemeton_druidenwalzer", {"options": "trees:7"})


@pytest.mark.parametrize("kind", ["druidenwalzer", "celtica", "druidenwalzer_explicit"])
def test_what_cannot_be_chosen_is_refused_and_nothing_has_happened(kind: str, tmp_path: Any) -> None:
    """By chance as well as by a player; nor does the desk remember it, which all tables share."""
    small = {"options": SMALL, "components": small_deck(tmp_path)} if "explicit" in kind else {}
    game = pyspiel.load_game(f"drunemeton_{kind}", {"seed": 3, **small})
    state, twin = game.new_initial_state(), game.new_initial_state()
    rng = random.Random(3)
    refused = 0
    while not state.is_terminal() and len(state.history()) < 60:
        legal = state.legal_actions()
        for action in (-2, -3, -4, -(1 << 62), 1 << 40, *range(0, 300, 7)):
            if action not in legal:
                with pytest.raises(GameError, match="no outcome" if state.is_chance_node() else rf"^{action}\b"):
                    state.apply_action(action)
                refused += 1
        action = rng.choice(legal)
        state.apply_action(action)
        twin.apply_action(action)
        assert str(state) == str(twin)
        assert state.table.states.tobytes() == twin.table.states.tobytes()
    assert refused > 400
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    with pytest.raises(GameError, match="over"):
        state.apply_action(0)


def test_information_states_have_perfect_recall() -> None:
    """Told differently once, told apart for ever; and what others hold makes no difference."""
    game = pyspiel.load_game("drunemeton_druidenwalzer", {"seed": 4})
    rng = random.Random(4)
    state = begin(game, rng)
    stories: list[list[str]] = [[], []]
    while not state.is_terminal():
        for player in (0, 1):
            text = state.information_state_string(player)
            assert text not in stories[player] or stories[player][-1] == text
            stories[player].append(text)
        state.apply_action(rng.choice(state.legal_actions()))
    for player in (0, 1):
        public = [text.split(" ")[2] for text in stories[player]]
        assert all(later.startswith(earlier) for earlier, later in pairwise(public))


@pytest.mark.parametrize("name", playable())
def test_a_resampled_state_is_told_apart_by_nobody_who_must_not(name: str) -> None:
    game = pyspiel.load_game(f"drunemeton_{name}", {"seed": 9})
    state = begin(game, random.Random(2), 14)
    player = state.current_player()
    sampler = pyspiel.UniformProbabilitySampler(1, 0.0, 1.0)  # sown: Celtica has only five such worlds
    others = set()
    for _ in range(12):
        world = state.resample_from_infostate(player, sampler)
        assert world.information_state_string(player) == state.information_state_string(player)
        assert world.observation_string(player) == state.observation_string(player)
        assert world.observation_tensor(player) == state.observation_tensor(player)
        assert world.legal_actions() == state.legal_actions()
        others.add(world.information_state_string((player + 1) % game.num_players()))
        # Whoever decides next can be asked what he sees, and the game can be played to its end.
        while not world.is_terminal() and len(world.history()) < 40:
            world.information_state_string(world.current_player())
            world.observation_tensor(world.current_player())
            world.apply_action(random.Random(1).choice(world.legal_actions()))
    assert (len(others) > 3) == (name != "daemonen")


@pytest.mark.parametrize("name", playable())
def test_what_is_resampled_depends_on_what_the_player_was_told_alone(name: str) -> None:
    """Two worlds that the player cannot tell apart: the same draws give the same states, with all that can be read from them."""
    game = pyspiel.load_game(f"drunemeton_{name}", {"seed": 5})
    state = begin(game, random.Random(6), 20)
    player = state.current_player()
    twin = game.deserialize_state(state.resample_from_infostate(player, random.Random(7).random).serialize())
    state = game.deserialize_state(state.serialize())
    assert (str(twin) != str(state)) or name == "daemonen"
    deal = state.history()[:DRAWS]
    for number in range(5):
        # The first time they make up a history, later they have one.
        one, two = (true.resample_from_infostate(player, random.Random(number).random) for true in (state, twin))
        assert one.history()[DRAWS:] == state.history()[DRAWS:]
        assert one.history()[:DRAWS] == two.history()[:DRAWS] != deal
        assert [(line.player, line.action) for line in one.full_history()] == [(line.player, line.action) for line in two.full_history()]
        assert one.serialize() == two.serialize()
        assert str(one) == str(two)
        for other in range(game.num_players()):
            assert one.information_state_string(other) == two.information_state_string(other)
            assert one.observation_tensor(other) == two.observation_tensor(other)
        # What is still to come is nobody's to know either: it follows from the draws, not from the true deal.
        while not one.is_terminal() and len(one.history()) < 60:
            action = random.Random(1).choice(one.legal_actions())
            one.apply_action(action)
            two.apply_action(action)
        assert str(one) == str(two)


class Hasty(RolloutEvaluator):
    """Not quite uniform: four decisions are not random, and from there on it goes as it should."""

    def evaluate(self, state: Any) -> Any:
        state = state.clone()
        for _ in range(4):
            if not state.is_terminal():
                state.apply_action(state.legal_actions()[0])
        return super().evaluate(state)


def average(evaluator: Any, state: Any, worlds: int) -> Any:
    """Mean returns, and the share of games that somebody wins; over resampled worlds, unless chance is explicit."""
    draw = random.Random(11).random
    player = state.current_player()
    returns = [evaluator.evaluate(state if state.table.explicit else state.resample_from_infostate(player, draw)) for _ in range(worlds)]
    return np.array([*np.mean(returns, axis=0), np.abs(returns).max(axis=1).mean()])


@pytest.mark.parametrize(
    ("name", "decisions", "worlds"), [("druidenwalzer", 16, 3000), ("celtica", 150, 400), ("druidenwalzer_explicit", 3, 600)]
)
def test_compiled_rollouts_have_the_distribution_of_theirs(tmp_path: Any, name: str, decisions: int, worlds: int) -> None:
    """Within four standard errors at most; four decisions that are not random are noticed."""
    small = {"options": SMALL, "components": small_deck(tmp_path)} if "explicit" in name else {}
    state = begin(pyspiel.load_game(f"drunemeton_{name}", {"seed": 3, **small}), random.Random(3), decisions)
    theirs = average(mcts.RandomRolloutEvaluator(1, np.random.RandomState(2)), state, worlds)
    within = 4 * (2 / worlds) ** 0.5
    assert np.abs(average(RolloutEvaluator(1, np.random.RandomState(3)), state, worlds) - theirs).max() < within
    if name == "druidenwalzer":
        assert np.abs(average(Hasty(1, np.random.RandomState(4)), state, worlds) - theirs).max() > 2 * within


def test_rollouts_begin_where_chance_has_still_to_decide(tmp_path: Any) -> None:
    game = pyspiel.load_game("drunemeton_druidenwalzer_explicit", {"options": SMALL, "components": small_deck(tmp_path)})
    evaluator = RolloutEvaluator(20, np.random.RandomState(1))
    state = game.new_initial_state()
    rng = random.Random(1)
    while not state.is_terminal():
        before = str(state)
        returns = evaluator.evaluate(state)
        assert abs(returns.sum()) < 1e-9
        assert np.abs(returns).max() <= 1
        assert str(state) == before
        assert evaluator.prior(state) == mcts.RandomRolloutEvaluator().prior(state)
        state.apply_action(rng.choice(state.legal_actions()))
    assert evaluator.evaluate(state).tolist() == state.returns()


def consistent(game: Any, state: Any, player: int) -> Counter[str]:
    """All deals that fit what the player was told, by exact enumeration, with their weight: where every card then lies."""
    decisions: list[int] = []
    told: list[str] = []
    again = game.new_initial_state()
    for pair in state.full_history():
        if pair.player >= 0:
            decisions.append(pair.action)
            told.append(again.information_state_string(player))
        again.apply_action(pair.action)
    told.append(state.information_state_string(player))
    found: Counter[str] = Counter()

    def walk(trial: Any, taken: int, weight: float) -> None:
        while not trial.is_chance_node():
            if trial.is_terminal() or trial.information_state_string(player) != told[taken]:
                return
            if taken == len(decisions):
                found[where(trial.table)] += weight  # type: ignore[assignment]
                return
            if decisions[taken] not in trial.legal_actions():
                return
            trial.apply_action(decisions[taken])
            taken += 1
        for outcome, chance in trial.chance_outcomes():
            child = trial.clone()
            child.apply_action(outcome)
            walk(child, taken, weight * chance)

    walk(game.new_initial_state(), 0, 1.0)
    return found


def where(table: Any) -> str:
    """Where every card lies."""
    state = table.states[0]
    piles = [state["pile"][seat][state["pile_at"][seat] : state["pile_end"][seat]].tolist() for seat in (0, 1)]
    return str([state["hand"].tolist(), [state["stack"][tree][: state["height"][tree]].tolist() for tree in range(8)], piles])


@pytest.mark.parametrize("decisions", [2, 4])
def test_resampling_has_the_true_distribution(tmp_path: Any, decisions: int) -> None:
    """Against exact enumeration of all deals by the game with explicit chance: a chi-square test, roughly at one in ten thousand."""
    parameters = {"options": SMALL, "components": small_deck(tmp_path)}
    explicit = pyspiel.load_game("drunemeton_druidenwalzer_explicit", parameters)
    rng = random.Random(decisions)
    state, player = begin(explicit, rng, decisions), 0  # for Sun, Moon's hand and pile are hidden: three different cards
    assert not state.is_terminal()
    exact = consistent(explicit, state, player)
    assert len(exact) >= 4
    trials, total = 3000, sum(exact.values())
    counts = Counter(where(state.table.imagined(player, number * 7919 + 1)) for number in range(trials))
    assert set(counts) <= set(exact)
    chi = sum((counts[key] - trials * weight / total) ** 2 / (trials * weight / total) for key, weight in exact.items())
    freedom = len(exact) - 1
    assert chi < freedom + 3.8 * (2 * freedom) ** 0.5 + 8, (chi, freedom)
    # With explicit chance the history must fit as well: such a state is dealt again, and is one of the same worlds.
    for number in range(3):
        world = state.resample_from_infostate(player, lambda number=number: 0.3 * number)
        assert where(world.table) in exact
        assert len(world.history()) == len(state.history())


def test_its_python_search_runs_unchanged() -> None:
    game = pyspiel.load_game("drunemeton_druidenwalzer", {"seed": 3, "options": "trees:2;stack:2;hand:2;tokens_to_conquer:2"})
    state = begin(game, random.Random(3))
    rng = np.random.RandomState(1)
    bots = [ismcts.ISMCTSBot(game, how(1, rng), 1.0, 30, random_state=rng) for how in (mcts.RandomRolloutEvaluator, RolloutEvaluator)]
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    assert sum(state.returns()) == 0
    assert drunemeton.envs.spiel.DRAWS == 4
