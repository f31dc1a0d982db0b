"""The games that a learner plays in: on the processor through the vector environment, on a GPU through that of the device."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from ..bots.reflex import Encoding, encoding_of
from ..envs.many import SAME_STEP, Many
from ..envs.world import Setting
from ..observations.layout import file_of
from .apprentice import OFFERED
from .selfplay import Sight, Tables

HELD_OUT = 1 << 40  # deals from here on are never learnt from


def first_places(shares: Tensor) -> Tensor:
    """What each seat has won, first places shared, from the environment's rewards."""
    first = shares >= shares.amax(1, keepdim=True) - 1e-9
    return first.float() / first.sum(1, keepdim=True)


def make_tables(game: str, seats: int, count: int, first_deal: int, device: torch.device, **given: Any) -> Tables:
    """So many games from a deal on, where the network is."""
    if device.type == "cuda":
        return DeviceTables(game, seats, count, first_deal, **given)
    return ProcessorTables(game, seats, count, first_deal, **given)


class ProcessorTables:
    """Games on the processor."""

    def __init__(self, game: str, seats: int, count: int, first_deal: int, opponents: str = "self", **given: Any) -> None:
        setting = Setting(game, seats, **given)
        self.seats, self.count = seats, count
        self.encoding: Encoding = encoding_of(game)
        self.many = Many(setting, count, opponents, None, file_of(setting.game).MOST_DECISIONS)
        self.many.deal(first_deal + np.arange(count), np.ones(count, np.bool_))

    def look(self) -> Sight:
        """What whoever must decide sees, and may do."""
        many = self.many
        rows = torch.from_numpy(self.encoding.spread(many.rows, self.seats))
        offered = torch.from_numpy(many.offered[:, :OFFERED])
        counts, movers = (torch.from_numpy(np.ascontiguousarray(many.courses[name])) for name in ("offered", "seat"))
        return Sight(rows, offered, counts.clamp(max=OFFERED), movers)

    def step(self, actions: Tensor) -> tuple[Tensor, Tensor]:
        """One decision in every game; answers which games it ended, and what each seat has won there."""
        self.many.step(actions.numpy(), SAME_STEP)
        over = torch.from_numpy(self.many.outcomes > 0)
        won = first_places(torch.from_numpy(self.many.shares))
        return over, won * over[:, None]


class DeviceTables:
    """Games on a GPU; nothing of them comes to the processor."""

    def __init__(self, game: str, seats: int, count: int, first_deal: int, opponents: str = "self", **given: Any) -> None:
        from ..envs.device import DeviceEnv

        self.seats, self.count = seats, count
        encoding: Encoding = encoding_of(game)
        self.env = DeviceEnv(game, count, seats=seats, opponents=opponents, autoreset="same_step", **given)
        self.env.reset(first_deal)
        self.tensors = self.env.torch()
        self.rows = torch.zeros((count, encoding.size), dtype=torch.int16, device="cuda")
        self.rows[:, -1] = seats
        self.places = torch.from_numpy(encoding.places(seats)).to("cuda")

    def look(self) -> Sight:
        """What whoever must decide sees, and may do."""
        self.rows[:, self.places] = self.tensors["observations"]
        counts = self.tensors["counts"].long().clamp(max=OFFERED)
        return Sight(self.rows, self.tensors["offered"][:, :OFFERED], counts, self.tensors["seats"].long())

    def step(self, actions: Tensor) -> tuple[Tensor, Tensor]:
        """One decision in every game; answers which games it ended, and what each seat has won there."""
        self.env.step(actions)
        over = self.tensors["outcomes"] > 0
        won = first_places(self.tensors["shares"].float())
        return over, won * over[:, None]
