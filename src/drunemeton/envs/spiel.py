"""OpenSpiel: importing this module registers the games with `pyspiel`.

>>> import pyspiel, drunemeton.envs.spiel
>>> game = pyspiel.load_game("drunemeton_druidenwalzer")

Each game comes twice. In `drunemeton_celtica` chance draws the number of the deal, in four steps of 256 outcomes; all shuffles, later ones
too, follow from it and from the game's `seed`. (OpenSpiel's sampled chance is not open to games written in Python.)
`drunemeton_celtica_explicit` has a chance node for every card of every shuffle: meant for small games and exact methods.

Parameters: `players`, `options` (such as `trees:2;hand:1;moon_row:mirrored`; a list is `2<+3>`), `components` (a TOML file), and
`seed` (-1: a fresh one).
"""

from __future__ import annotations

import hashlib
import random
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..rules.chance import Chance
from ..rules.errors import GameError
from ..rules.game import GAMES, Game, find_game, read_components
from ..rules.kernel import EV_WHO, NOBODY, SPECTATOR, TAPE
from ..rules.story import orders_in
from . import need
from .layout import file_of
from .render import render
from .world import FAULT, OVER, Setting, desk

pyspiel: Any = need("pyspiel", "OpenSpiel")
import numpy as np  # noqa: E402

CHANCE, DEAL = -1, 0
DRAWS, OUTCOMES = 4, 256  # chance nodes that draw the number of a deal
EXPLICIT = "_explicit"
MOST_CARDS = 4096  # a card's number is the number of its chance outcome


class Table:
    """A game in OpenSpiel's hands: the state, the story told so far, and what each seat knows, worked out when somebody asks."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.states = setting.twin(setting.prepared)
        self.knows: Any = None  # of every seat, then of the spectators; None before the deal
        self.untold: list[Any] = []  # rows that they have not taken in yet
        self.story: list[bytes] = []  # what everybody was told, step by step
        self.mover = CHANCE
        self.steps = 0
        self.drawn: list[int] = []  # of the deal's number
        self.secret = b""
        # A step that waits for chance: its action, and the cards of its shuffles so far (explicit chance only).
        self.action = -1
        self.tape: list[int] = []
        self.open: list[int] = []  # the cards from which the next one of the shuffle is drawn

    def __deepcopy__(self, memo: Any) -> Table:
        twin = object.__new__(Table)
        twin.__dict__.update(self.__dict__)
        twin.states = self.setting.twin(self.states)
        twin.knows = None if self.knows is None else self.setting.twin(self.knows)
        for name in ("untold", "story", "drawn", "tape", "open"):
            setattr(twin, name, getattr(self, name)[:])
        return twin

    def __getstate__(self) -> dict[str, Any]:
        knows = None if self.knows is None else self.knows.tobytes()
        return {**self.__dict__, "states": self.states.tobytes(), "knows": knows}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.states = np.frombuffer(bytearray(kept["states"]), self.setting.state_dtype)
        if self.knows is not None:
            self.knows = np.frombuffer(bytearray(kept["knows"]), self.setting.knowledge_dtype)

    # --- Playing

    def play(self, action: int) -> None:
        """Carry out an action (-1: the deal); shuffles follow from the secret."""
        self.mover = self._carry_on(self.states, action, *Chance(self.secret).words(self.steps))
        self._remember()

    def _carry_on(self, states: Any, action: int, *words: int) -> int:
        # Nobody is told yet: rollouts play to the end without anybody asking what a seat knows.
        return int(self.setting.calls.play_on(states, self.setting.known, desk(), action, 0, *words, *self.setting.rows))

    def begin(self, action: int) -> None:
        """Begin a step whose shuffles are explicit: it is carried out once all their cards are known."""
        self.action, self.tape = action, []
        self._try()

    def draw(self, card: int) -> None:
        """The next card of the shuffle."""
        self.tape.append(card)
        self._try()

    def _try(self) -> None:
        while True:
            d = desk()
            if len(self.tape) > TAPE:
                raise GameError("a step with more shuffled cards than any tape holds")
            d["tape"][0, : len(self.tape)] = self.tape
            # An empty tape must not fall back to the generator.
            d["tape_end"], d["tape_at"] = max(len(self.tape), 1), int(not self.tape)
            states = self.setting.twin(self.states)
            mover = self._carry_on(states, self.action, 0, 0, 0)
            if mover != FAULT:
                self.states, self.mover, self.open = states, mover, []
                self._remember()
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
                self.open, self.mover = rest, CHANCE
                return
            self.tape += rest

    def _remember(self) -> None:
        if self.mover < OVER:
            raise GameError("this step cannot be carried out")
        d = desk()
        self.untold.append(d["events"][0, : d["told"][0]].copy())
        self.steps += 1

    # --- Asking

    def legal(self) -> list[int]:
        """The legal actions, in order."""
        d = desk()
        count = self.setting.calls.engine.legal(self.states, d)
        return sorted(d["moves"][0, :count].tolist())

    def known(self) -> Any:
        """What every seat, and the spectators, know."""
        setting = self.setting
        if self.knows is None:
            self.knows = setting.knows(setting.seats + 1)
            for i in range(setting.seats + 1):
                self.knows[i : i + 1] = setting.known
        d = desk()
        for rows in self.untold:
            d["events"][0, : len(rows)] = rows
            d["told"] = len(rows)
            setting.calls.learn_all(self.knows, d, setting.seats)
            public = rows[rows[:, EV_WHO] != NOBODY]
            hidden = public[:, EV_WHO] >> SPECTATOR & 1 == 0
            public = public.copy()
            public[hidden, -1] = 0
            public[:, EV_WHO] = 0
            self.story.append(public.tobytes())
        self.untold = []
        return self.knows

    def told(self, seat: int) -> str:
        """All that a seat was ever told: the public story, and its own hand. A card that left a hand was seen by all, with its place."""
        knows = self.known()
        hand = file_of(self.setting.game).private(knows[seat], seat)
        return f"{seat} {','.join(map(str, hand))} {b''.join(self.story).hex()}"

    def imagined(self, seat: int, number: int) -> Table:
        """Another world that fits all that the seat was told, every one as likely, with a future of its own."""
        self.known()
        twin = self.__deepcopy__(None)
        d = desk()
        setting = self.setting
        setting.calls.engine.seed(d, number & 0xFFFFFFFF, number >> 32, 0x15)
        setting.calls.imagine(twin.knows, seat, setting.seats, d, twin.states)
        twin.secret = number.to_bytes(8, "big") + b"imagined"
        return twin


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of one of the games."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.table = Table(game.setting)

    def current_player(self) -> int:
        """The seat that must decide, or chance."""
        mover = self.table.mover
        if mover >= 0:
            return mover
        over = self.table.steps > 0 and not self.table.open
        return int(pyspiel.PlayerId.TERMINAL if over else pyspiel.PlayerId.CHANCE)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.current_player() == pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """A part of the deal's number; or the cards that may come next in a shuffle."""
        cards = self.table.open
        if not cards:
            return [(DEAL, 1.0)] if self.get_game().explicit else [(number, 1 / OUTCOMES) for number in range(OUTCOMES)]
        return [(card, cards.count(card) / len(cards)) for card in sorted(set(cards))]

    def _apply_action(self, action: int) -> None:
        table = self.table
        explicit = self.get_game().explicit
        if table.open:
            table.draw(action)
        elif table.steps == 0:
            if explicit:
                table.begin(-1)
            else:
                table.drawn.append(action)
                if len(table.drawn) == DRAWS:
                    table.secret = self.get_game().secret_of(table.drawn)
                    table.play(-1)
        elif explicit:
            table.begin(action)
        else:
            table.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        game = self.table.setting.game
        if player == pyspiel.PlayerId.CHANCE:
            return (game.script.card(action) or str(action)) if self.table.open else f"deal {action}"
        return game.move_text(self._seen(player), action)

    def _seen(self, player: int) -> Any:
        return self.table.setting.game.knowledge_type.from_box(self.table.known(), player)

    def returns(self) -> list[float]:
        """At the end: the share of the others left behind, less the share of those before; the sum is 0."""
        setting = self.table.setting
        rewards = np.zeros(setting.seats)
        if self.is_terminal():
            setting.calls.score(self.table.states, setting.seats, rewards)
        return rewards.tolist()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """A state that fits all that the player was told, every one as likely."""
        number = int(sampler() * (1 << 53))
        if self.get_game().explicit:
            return self._deal_again(player, random.Random(number))
        twin: SpielState = self.clone()
        twin.table = self.table.imagined(player, number)
        return twin

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
    """What a player sees, as OpenSpiel asks for it: named tensors and strings."""

    def __init__(self, setting: Setting, perfect_recall: bool) -> None:
        self.setting, self.perfect_recall = setting, perfect_recall
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if not perfect_recall:
            layout = setting.layout
            self.tensor = np.zeros(layout.size, np.float32)
            self.dict = {name: layout.read(self.tensor, name) for name in layout.fields}
            self._row, self._mask = layout.empty()

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what the player sees into the tensors."""
        self._row[:] = 0
        self.setting.calls.look(state.table.known(), desk(), player, self._row, self._mask)
        self.tensor[:] = self._row

    def string_from(self, state: SpielState, player: int) -> str:
        """All that the player was told, or the table as he sees it now."""
        if self.perfect_recall:
            return state.table.told(player)
        game = self.setting.game
        return str(render(game, game.view_of(game.knowledge_type.from_box(state.table.known(), player), player, False), "ansi"))


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

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        name = type(self).name
        game = find_game(name)
        options = read_options(game, str(given.get("options", "")))
        path = str(given.get("components", ""))
        components = read_components(Path(path)) if path else None
        self.setting = Setting(name, int(given.get("players", game.players[0])), options, components)
        number = int(given.get("seed", -1))
        self._seed = number if number >= 0 else secrets.randbits(128)
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

    def secret_of(self, drawn: list[int]) -> bytes:
        """The secret from which all shuffles of a deal follow."""
        return hashlib.blake2b(f"{self._seed} {drawn}".encode(), digest_size=32).digest()

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
        return Observer(self.setting, iig_obs_type is not None and iig_obs_type.perfect_recall)


TYPES: dict[type[SpielGame], Any] = {}


def _register(name: str, explicit: bool) -> None:
    game = find_game(name)
    made = type(f"{GAMES[name]}{'Explicit' * explicit}", (SpielGame,), {"name": name, "explicit": explicit, "__module__": __name__})
    TYPES[made] = pyspiel.GameType(
        short_name=f"drunemeton_{name}{EXPLICIT * explicit}",
        long_name=f"{game.title}{' with explicit chance' * explicit}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.players[1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": game.players[0], "options": "", "components": "", "seed": -1},
        default_loadable=True,
    )
    globals()[made.__name__] = made
    pyspiel.register_game(TYPES[made], made)


for _name in GAMES:
    for _explicit in (False, True):
        _register(_name, _explicit)
