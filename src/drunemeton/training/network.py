"""The network that learns, in PyTorch; what it has learnt leaves as whole numbers for `reflex`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ..bots.reflex import ENCODING, UNIT_BITS, WEIGHT, WEIGHT_BITS, About, Encoding, Reflex
from ..observations.layout import file_of
from ..rules.errors import GameError

ALIGNED = 16  # a GPU's matrix units want sizes that are multiples of this


class Network(nn.Module):
    """Layers with a way around each, a score for every action, and for every player a score that becomes the chance to win."""

    entries: Tensor
    thresholds: Tensor
    scaled: Tensor
    shares: Tensor

    def __init__(self, encoding: Encoding, width: int, blocks: int) -> None:
        super().__init__()
        self.encoding, self.width = encoding, width
        for name in ("entries", "thresholds", "scaled"):
            self.register_buffer(name, torch.from_numpy(getattr(encoding, name)), persistent=False)
        self.register_buffer("shares", 1.0 / torch.from_numpy(encoding.divisors).float(), persistent=False)
        self.spare = -encoding.inputs % ALIGNED
        self.first = nn.Linear(encoding.inputs + self.spare, width)
        around = [nn.Linear(width, width) for _ in range(blocks)]
        self.blocks = nn.ModuleList(around)
        self.policy = nn.Linear(width, -(-encoding.game.action_count // ALIGNED) * ALIGNED)
        self.value = nn.Linear(width, ALIGNED)
        for block in around:
            nn.init.normal_(block.weight, std=0.5 / width**0.5)
        nn.init.normal_(self.policy.weight, std=0.01 / width**0.5)

    def forward(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of all actions and of all players, from spread observations."""
        number = torch.bfloat16 if torch.is_autocast_enabled(rows.device.type) else self.first.weight.dtype
        compared = (rows.index_select(1, self.entries) >= self.thresholds).to(number)
        scaled = rows.index_select(1, self.scaled).to(number) * self.shares.to(number)
        h = torch.relu(self.first(functional.pad(torch.cat([compared, scaled], 1), (0, self.spare))))
        for block in self.blocks:
            h = h + torch.relu(block(h))
        return self.policy(h), self.value(h)[:, : self.encoding.most]

    def layers(self) -> dict[str, nn.Linear]:
        """By the names that files of weights give them."""
        around = {f"block{n}": block for n, block in enumerate(self.blocks) if isinstance(block, nn.Linear)}
        return {"first": self.first, **around, "policy": self.policy, "value": self.value}

    @torch.no_grad()
    def take(self, reflex: Reflex) -> None:
        """Begin where a player of the same make has come to."""
        about = reflex.about
        if (about.game, about.width, about.blocks) != (self.encoding.game.name, self.width, len(self.blocks)):
            raise GameError(
                f"these weights are of {about.game}, {about.width} wide with {about.blocks} blocks: begin with a plan like theirs"
            )
        for name, layer in self.layers().items():
            weight, bias = (torch.from_numpy(reflex.arrays[f"{name}.{part}"]) for part in ("weight", "bias"))
            layer.weight[: weight.shape[0], : weight.shape[1]] = weight.to(layer.weight) / WEIGHT
            layer.bias[: len(bias)] = bias.to(layer.bias) / (1 << UNIT_BITS + WEIGHT_BITS)

    def reflex(self, seats: tuple[int, ...], training: Mapping[str, Any]) -> Reflex:
        """The network as whole numbers."""
        game = self.encoding.game
        arrays: dict[str, Any] = {}
        sizes = {"policy": game.action_count, "value": self.encoding.most}
        for name, layer in self.layers().items():
            weight, bias = (part.detach().double().cpu().numpy() for part in (layer.weight, layer.bias))
            weight, bias = weight[: sizes.get(name)], bias[: sizes.get(name)]
            if name == "first":
                weight = weight[:, : self.encoding.inputs]
            bound = float(np.iinfo(np.int16).max)
            arrays[f"{name}.weight"] = np.clip(np.rint(weight * WEIGHT), -bound, bound).astype(np.int16)
            arrays[f"{name}.bias"] = np.rint(bias * (1 << UNIT_BITS + WEIGHT_BITS)).astype(np.int32)
        about = About(game.name, ENCODING, file_of(game).VERSION, seats, self.width, len(self.blocks), training)
        return Reflex(about, arrays)


def likelihoods(scores: Tensor, offered: Tensor, counts: Tensor) -> Tensor:
    """The logarithm of how likely each of the offered actions is; of those beyond a row's count, next to nothing."""
    found = scores.gather(1, offered.long()).float()
    places = torch.arange(offered.shape[1], device=found.device)
    return torch.log_softmax(found.masked_fill(places >= counts[:, None], -1e9), 1)


def chances(scores: Tensor, seats: Tensor) -> Tensor:
    """Chances to win, counted from the one who looks, of as many players as each row has."""
    playing = torch.arange(scores.shape[1], device=scores.device) < seats[:, None]
    return torch.softmax(scores.float().masked_fill(~playing, -1e9), 1)
