"""OpenSpiel: importing this module registers the games with `pyspiel`.

>>> import pyspiel, drunemeton.envs.spiel
>>> game = pyspiel.load_game("drunemeton_druidenwalzer")

Each game comes twice. In `drunemeton_celtica` chance draws the number of the deal, in four steps of 256 outcomes; all shuffles, later ones
too, follow from it and from the game's `seed`. (OpenSpiel's sampled chance is not open to games written in Python.)
`drunemeton_celtica_explicit` has a chance node for every card of every shuffle: meant for small games and exact methods. A game of which
`GAME_small.py` describes one that can be solved has that too, with explicit chance: `drunemeton_druidenwalzer_small`.

Parameters: `players`, `options` (such as `trees:2;hand:1;moon_row:mirrored`; a list is `2<+3>`), `components` (a TOML file), `seed` (-1: a
fresh one), and `memory` (how many events an information-state tensor holds).
"""

from __future__ import annotations

import hashlib
import importlib.util
import random
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from ..observations.layout import file_of
from ..rules.components import read_components
from ..rules.errors import GameError
from ..rules.game import Game, find_game, playable
from ..rules.kernel import EVENTS, TAPE, Dealt, copy_box
from ..rules.story import orders_in
from . import need
from .render import render
from .world import DEAL, FAULT, ILLEGAL, OVER, TOLD, Setting, dealt, desk

pyspiel: Any = need("pyspiel", "OpenSpiel")
import numpy as np  # noqa: E402

CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
DRAWS, OUTCOMES = 4, 256  # chance nodes that draw the number of a deal
EXPLICIT, SMALL = "_explicit", "_small"
MEMORY = 256  # events in an information-state tensor, unless another number is asked for
MOST_CARDS = 4096  # a card's number is the number of its chance outcome


class HeldGame:
    """A game in OpenSpiel's hands: the state, what each seat and the spectators know, and the story told so far."""

    def __init__(self, setting: Setting, explicit: bool = False, seed: int = 0) -> None:
        self.setting, self.explicit, self.seed = setting, explicit, seed
        # Copies share their records until one of them plays on: a search copies far more tables than it plays at.
        self.states, self.knows, self.shared = setting.prepared, setting.all_known, True
        self.story: list[str] = []  # what everybody was told, step by step
        self.player = CHANCE  # OpenSpiel's number of who must decide
        self.moves: list[int] | None = None  # his legal actions, once somebody asks
        self.steps = 0
        self.blank: SpielState | None = None  # a state that was told the same, of some other deal; made when somebody resamples
        self.drawn: list[int] = []  # of the deal's number
        self.dealt: Any = dealt(0)
        # A step that waits for chance: its action, and the cards of its shuffles so far (explicit chance only).
        self.action = DEAL
        self.tape: list[int] = []
        self.open: list[int] = []  # the cards from which the next one of the shuffle is drawn

    def __deepcopy__(self, memo: Any) -> HeldGame:
        self.shared = True
        twin = object.__new__(HeldGame)
        twin.__dict__.update(self.__dict__)
        twin.story, twin.drawn, twin.tape = self.story[:], self.drawn[:], self.tape[:]
        return twin

    def __getstate__(self) -> dict[str, Any]:
        boxes = {name: getattr(self, name).tobytes() for name in ("states", "knows", "dealt")}
        return {**self.__dict__, **boxes, "blank": None}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.states = np.frombuffer(bytearray(kept["states"]), self.setting.state_dtype)
        self.knows = np.frombuffer(bytearray(kept["knows"]), self.setting.knowledge_dtype)
        self.dealt = np.frombuffer(bytearray(kept["dealt"]), Dealt.dtype())

    # --- Playing

    def apply(self, action: int) -> None:
        """Carry out what the one who must decide has chosen, be it chance. If he cannot choose that, nothing happens."""
        self._check(action)
        if self.open:
            self.tape.append(action)
            self._try()
        elif self.steps == 0 and not self.explicit:
            self.drawn.append(action)
            if len(self.drawn) == DRAWS:
                self.dealt = dealt(_number(f"{self.seed} {self.drawn}"))
                self.drawn = []
                self.play(DEAL)
        elif self.explicit:
            # The step is carried out once all cards of its shuffles are known.
            self.action, self.tape = action if self.steps else DEAL, []
            self._try()
        else:
            self.play(action)

    def _check(self, action: int) -> None:
        if self.player == CHANCE:
            if action not in self.outcomes():
                raise GameError(f"{action} is no outcome of this chance node")
        elif self.player == TERMINAL:
            raise GameError("the game is over")
        # Without explicit chance, carrying an action out finds whether it is legal; only a deal must not come from here.
        elif action == DEAL or (self.explicit and action not in self.legal()):
            self._refuse(action)

    def _refuse(self, action: int) -> NoReturn:
        setting = self.setting
        setting.refuse(action, setting.game.knowledge_type.from_box(self.knows, self.player))

    def play(self, action: int) -> None:
        """Carry out an action (or the deal)."""
        if self.shared:
            self.states, self.knows, self.shared = copy_box(self.states), copy_box(self.knows), False
            self.dealt = copy_box(self.dealt)
        mover = self._tell_on(self.states, action)
        if mover == ILLEGAL:
            self._refuse(action)
        if mover == FAULT:
            raise GameError("more happened in one step than the story can hold")
        self._remember(mover)

    def _tell_on(self, states: Any, action: int) -> int:
        setting = self.setting
        return int(setting.calls.tell_on(states, self.knows, desk(), self.dealt, action, setting.seats, told_rows()))

    def _try(self) -> None:
        if self.shared:
            self.knows, self.dealt, self.shared = copy_box(self.knows), copy_box(self.dealt), False
        while True:
            d = desk()
            if len(self.tape) > TAPE:
                raise GameError("a step with more shuffled cards than any tape holds")
            d["tape"][0, : len(self.tape)] = self.tape
            # An empty tape must not fall back to the generator.
            d["tape_end"], d["tape_at"] = max(len(self.tape), 1), int(not self.tape)
            states = copy_box(self.states)
            mover = self._tell_on(states, self.action)
            if mover >= OVER:
                self.states, self.open = states, []
                self._remember(mover)
                return
            left = len(self.tape)
            for _, cards in orders_in(d["events"][0, : d["told"][0]].tolist()):
                if left < len(cards):
                    rest = sorted(cards)
                    for card in self.tape[len(self.tape) - left :]:
                        rest.remove(card)
                    break
                left -= len(cards)
            if rest[0] != rest[-1]:
                self.open, self.player = rest, CHANCE
                return
            self.tape += rest

    def _remember(self, mover: int) -> None:
        rows = told_rows()
        self.story.append(rows[1 : rows[0]].tobytes().hex())
        self.player = mover if mover >= 0 else TERMINAL
        self.moves = self.blank = None
        self.steps += 1

    # --- Asking

    def outcomes(self) -> Sequence[int]:
        """What chance may choose, each entry as likely: a card of the shuffle, or a part of the deal's number."""
        return self.open or range(1 if self.explicit else OUTCOMES)

    def legal(self) -> list[int]:
        """The legal actions, in order."""
        if self.moves is None:
            d = desk()
            count = self.setting.calls.engine.legal(self.states, d)
            self.moves = sorted(d["moves"][0, :count].tolist())
        return self.moves

    def told(self, seat: int) -> str:
        """All that a seat was ever told: the public story, and its own hand. A card that left a hand was seen by all, with its place."""
        if len(self.story) > 1:
            self.story = ["".join(self.story)]
        hand = self.setting.private(self.knows[seat], seat)
        return f"{seat} {','.join(map(str, hand))} {self.story[0] if self.story else ''}"

    def recalled(self) -> Any:
        """The public story as rows of numbers, an event each."""
        return np.frombuffer(bytes.fromhex("".join(self.story)), np.int16).reshape(-1, TOLD)

    def imagined(self, seat: int, number: int) -> HeldGame:
        """Another world that fits all that the seat was told, every one as likely, with a future of its own."""
        if len(self.story) > 1:
            self.story = ["".join(self.story)]
        setting = self.setting
        twin = self.__deepcopy__(None)
        twin.states, twin.knows, twin.shared = setting.states(), setting.knows(len(self.knows)), False
        d = desk()
        setting.calls.engine.seed(d, number & 0xFFFFFFFF, number >> 32, 0x15)
        setting.calls.imagine(self.knows, seat, setting.seats, d, twin.states, twin.knows)
        twin.dealt = copy_box(self.dealt)
        twin.dealt["deal"] = _number(f"imagined {number}")
        return twin


def _number(text: str) -> int:
    """A deal's number that no seed is likely to have."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big", signed=True)


_told = threading.local()


def told_rows() -> Any:
    """Where this thread's tables write what a step told."""
    found = getattr(_told, "rows", None)
    if found is None:
        found = _told.rows = np.zeros(1 + EVENTS * TOLD, np.int16)
    return found


class Recital(HeldGame):
    """A table at which nothing happens but that each player in turn says his line: it makes a history."""

    def __init__(self, setting: Setting, players: list[int]) -> None:
        super().__init__(setting)
        self._players = iter(players)
        self.player = next(self._players)

    def apply(self, action: int) -> None:
        """Go on to the next line."""
        self.player = next(self._players, TERMINAL)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of one of the games."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.table = HeldGame(game.setting, game.explicit, game.seed)

    def current_player(self) -> int:
        """The seat that must decide, or chance."""
        return self.table.player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.table.player == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """A part of the deal's number; or the cards that may come next in a shuffle."""
        entries = self.table.outcomes()
        return [(outcome, entries.count(outcome) / len(entries)) for outcome in sorted(set(entries))]

    def _apply_action(self, action: int) -> None:
        self.table.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.table.setting.game
        if player == pyspiel.PlayerId.CHANCE:
            return (game.script.card(action) or str(action)) if self.table.open else f"deal {action}"
        return game.move_text(game.knowledge_type.from_box(self.table.knows, player), action)

    def returns(self) -> list[float]:
        """At the end: the share of the others left behind, less the share of those before; the sum is 0."""
        setting = self.table.setting
        rewards = np.zeros(setting.seats)
        if self.is_terminal():
            setting.calls.score(self.table.states, setting.seats, rewards)
        return rewards.tolist()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """A state that fits all that the player was told, every one as likely.

        Its history has the same decisions, and (unless chance is explicit) the number of some other deal instead of the true one.
        """
        if self.table.explicit:
            return self._deal_again(player, random.Random(sampler()))
        table = self.table
        if table.blank is None:
            table.blank = self._retold(sampler)
        twin: SpielState = table.blank.clone()
        twin.table = table.imagined(player, int(sampler() * (1 << 53)))
        return twin

    def _retold(self, sampler: Callable[[], float]) -> SpielState:
        """A state with the history of this one, but for the number of the deal."""
        said = self.full_history()
        blank: SpielState = self.get_game().new_initial_state()
        table, blank.table = blank.table, Recital(self.table.setting, [line.player for line in said])
        for line in said:
            blank.apply_action(line.action if line.player != CHANCE else min(int(sampler() * OUTCOMES), OUTCOMES - 1))
        blank.table = table
        return blank

    def _deal_again(self, player: int, rng: random.Random) -> SpielState:
        """With explicit chance the history must fit too: deal again, until the player is told the same."""
        history = self.full_history()
        wanted = self.table.told(player)
        while True:
            trial: SpielState = self.get_game().new_initial_state()
            for pair in history:
                if trial.is_chance_node():
                    outcomes, chances = zip(*trial.chance_outcomes(), strict=True)
                    trial.apply_action(rng.choices(outcomes, chances)[0])
                elif pair.player >= 0 and pair.action in trial.legal_actions():
                    trial.apply_action(pair.action)
                else:
                    break
            if not trial.is_chance_node() and len(trial.history()) == len(history) and trial.table.told(player) == wanted:
                return trial

    def __str__(self) -> str:
        table = self.table
        if not table.steps:
            return f"{table.setting.game.title}, not dealt yet, {self.history()}"
        return " ".join([str(self.history()), *(table.told(seat) for seat in range(table.setting.seats))])


class Observer:
    """What a player sees, as OpenSpiel asks for it: named tensors and strings.

    With perfect recall the tensor has one part more, `told`: the events of the public story, the last ones if it was longer.
    """

    def __init__(self, setting: Setting, perfect_recall: bool, memory: int) -> None:
        self.setting, self.perfect_recall, self.memory = setting, perfect_recall, memory if perfect_recall else 0
        layout = setting.layout
        self.tensor = np.zeros(layout.size + self.memory * TOLD, np.float32)
        self.dict: dict[str, Any] = {name: layout.read(self.tensor, name) for name in layout.fields}
        self._row, self._mask = layout.empty()
        if perfect_recall:
            self._told = self.dict["told"] = self.tensor[layout.size :].reshape(memory, TOLD)

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what the player sees into the tensors."""
        self._row[:] = 0
        self.setting.calls.look(state.table.knows, desk(), player, self._row, self._mask)
        self.tensor[: len(self._row)] = self._row
        if self.perfect_recall:
            events = state.table.recalled()[-self.memory :]
            self._told[: len(events)] = events
            self._told[len(events) :] = 0

    def string_from(self, state: SpielState, player: int) -> str:
        """All that the player was told, or the table as he sees it now."""
        if self.perfect_recall:
            return state.table.told(player)
        game = self.setting.game
        return str(render(game, game.view_of(game.knowledge_type.from_box(state.table.knows, player), player, False), "ansi"))


def read_options(game: type[Game], text: str) -> dict[str, Any]:
    """Options from a parameter; OpenSpiel keeps commas and equals signs to itself."""
    kinds = {option.name: option.kind for option in game.described}
    options: dict[str, Any] = {}
    for entry in filter(None, text.split(";")):
        name, _, value = entry.partition(":")
        if kinds.get(name) == "int" and value.lstrip("-").isdigit():
            options[name] = int(value)
        elif kinds.get(name) == "bool" and value in ("true", "false"):
            options[name] = value == "true"
        elif kinds.get(name) == "cards":
            options[name] = value.split("+")
        else:
            options[name] = value
    return options


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """One of the games, with its parameters."""

    name = ""
    explicit = False
    options: Mapping[str, Any]
    components: Mapping[str, Any] | None

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        name = type(self).name
        game = find_game(name)
        options = {**type(self).options, **read_options(game, str(given.get("options", "")))}
        path = str(given.get("components", ""))
        components = read_components(Path(path)) if path else type(self).components
        self.memory = int(given.get("memory", MEMORY))
        if self.memory < 1:
            raise GameError(f"memory is {self.memory}, but an information-state tensor holds at least one event")
        self.setting = Setting(name, int(given.get("players", game.players[0])), options, components)
        number = int(given.get("seed", -1))
        self.seed = number if number >= 0 else secrets.randbits(128)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.action_count,
            max_chance_outcomes=MOST_CARDS if type(self).explicit else OUTCOMES,
            num_players=self.setting.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=file_of(game).MOST_DECISIONS,
        )
        super().__init__(TYPES[type(self)], info, given)

    def new_initial_state(self) -> SpielState:
        """Before the deal."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Those of the deal's number, or one for every card that is ever shuffled."""
        return file_of(self.setting.game).MOST_DECISIONS if type(self).explicit else DRAWS

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What watches a state for a player."""
        if params:
            raise ValueError(f"observers of this game take no parameters, not {params}")
        return Observer(self.setting, iig_obs_type is not None and iig_obs_type.perfect_recall, self.memory)


TYPES: dict[type[SpielGame], Any] = {}
KINDS = {"": "", EXPLICIT: " with explicit chance", SMALL: ", small enough to be solved, with explicit chance"}


def _register(name: str, kind: str, options: Mapping[str, Any], components: Mapping[str, Any] | None = None) -> None:
    game = find_game(name)
    own = {"name": name, "explicit": bool(kind), "options": options, "components": components, "__module__": __name__}
    made = type(f"{game.__name__}{kind.removeprefix('_').title()}", (SpielGame,), own)
    TYPES[made] = pyspiel.GameType(
        short_name=f"drunemeton_{name}{kind}",
        long_name=f"{game.title}{KINDS[kind]}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.players[1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": game.players[0], "options": "", "components": "", "seed": -1, "memory": MEMORY},
        default_loadable=True,
    )
    globals()[made.__name__] = made
    pyspiel.register_game(TYPES[made], made)


for _name in playable():
    _register(_name, "", {})
    _register(_name, EXPLICIT, {})
    if importlib.util.find_spec(f".{_name}{SMALL}", __package__):
        _small = importlib.import_module(f".{_name}{SMALL}", __package__)
        _register(_name, SMALL, _small.OPTIONS, _small.COMPONENTS)
