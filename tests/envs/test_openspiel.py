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
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    others = set()
    for _ in range(12):
        world = state.resample_from_infostate(player, sampler)
        assert world.information_state_string(player) == state.information_state_string(player)
        assert world.observation_string(player) == state.observation_string(player)
        assert world.observation_tensor(player) == state.observation_tensor(player)
        assert world.legal_actions() == state.legal_actions()
        others.add(world.information_state_string(1 - player))
        # Whoever decides next can be asked what he sees, and the game can be played to its end.
        while not world.is_terminal() and len(world.history()) < 40:
            world.information_state_string(world.current_player())
            world.observation_tensor(world.current_player())
            world.apply_action(random.Random(1).choice(world.legal_actions()))
    assert (len(others) > 3) == (name != "daemonen")


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
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), 1.0, 30, random_state=np.random.RandomState(2))
    while not state.is_terminal():
        player = state.current_player()
        state.apply_action(bot.step(state) if player == 0 else state.legal_actions()[0])
    assert sum(state.returns()) == 0
    assert drunemeton.envs.spiel.DRAWS == 4
