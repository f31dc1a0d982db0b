"""Learning by playing against oneself: all seats of thousands of games decide by one network, which is then drawn towards what paid.

Proximal policy optimisation. The value is a vector, every player's chance to win as the one who decides sees it; so two to five players,
and turns of several decisions, are one case: each decision is judged by what became of the chance of the seat that took it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import torch
from torch import Tensor
from torch.nn import functional

from .apprentice import Examples
from .network import Network, chances, likelihoods

IMITATION_RATE = 1e-3


class Sight(NamedTuple):
    """What lies before those who must decide, a row a game: the next step overwrites it."""

    rows: Tensor  # spread observations
    offered: Tensor  # legal actions
    counts: Tensor  # how many of them
    movers: Tensor  # whose decision it is


class Tables(Protocol):
    """Many games side by side, all for the same number of players; one that ends is dealt anew at once."""

    seats: int
    count: int

    def look(self) -> Sight:
        """What whoever must decide sees, and may do."""

    def step(self, actions: Tensor) -> tuple[Tensor, Tensor]:
        """One decision in every game; answers which games it ended, and what each seat has won there."""


class Dials(NamedTuple):
    """How boldly to learn; they fall as the run goes on."""

    rate: float = 5e-4
    entropy: float = 0.006
    keep: float = 0.95  # how far a decision is judged by what came much later (lambda)
    clip: float = 0.2
    epochs: int = 2
    batch: int = 65_536

    def at(self, done: float) -> Dials:
        """The dials when a share of the run is done."""
        left = 1.0 - done
        return self._replace(rate=self.rate * max(left, 0.03), entropy=self.entropy * 0.1**done)


@dataclass
class Rollout:
    """Decisions of all tables, step by step: what was seen, what was done, and what it was worth."""

    rows: Tensor
    offered: Tensor
    counts: Tensor
    seats: Tensor  # how many play
    chosen: Tensor  # which of the offered actions
    logs: Tensor  # how likely that was
    advantages: Tensor
    targets: Tensor


@torch.no_grad()
def play(network: Network, tables: Sequence[Tables], steps: int, keep: float) -> Rollout:
    """Play on for so many steps everywhere; what was played is judged by how the games went on."""
    parts = [_play_at(network, one, steps, keep) for one in tables]
    return Rollout(*(torch.cat([getattr(part, name) for part in parts]) for name in Rollout.__dataclass_fields__))


def _play_at(network: Network, tables: Tables, steps: int, keep: float) -> Rollout:
    seen: list[Sight] = []
    decided: list[tuple[Tensor, Tensor]] = []
    values: list[Tensor] = []
    ended: list[tuple[Tensor, Tensor]] = []
    for _ in range(steps):
        now = Sight(*(part.clone() for part in tables.look()))
        chosen, logs, value = decide(network, now, tables.seats)
        seen.append(now)
        decided.append((chosen, logs))
        values.append(value)
        ended.append(tables.step(now.offered.gather(1, chosen[:, None])[:, 0].long()))
    # Whoever is not on turn at the end is judged by what the one on turn thinks of him: his own thoughts are not at hand.
    last = decide(network, tables.look(), tables.seats)[2]
    movers = [now.movers for now in seen]
    advantages, targets = judged(values, movers, ended, last, keep)
    seats, most = tables.seats, network.encoding.most
    chosen_, logs_ = (torch.cat(part) for part in zip(*decided, strict=True))
    return Rollout(
        torch.cat([now.rows for now in seen]),
        torch.cat([now.offered for now in seen]),
        torch.cat([now.counts for now in seen]),
        torch.full((steps * tables.count,), seats, device=last.device),
        chosen_,
        logs_,
        torch.cat(advantages),
        torch.cat([turned(target, mover, seats, most) for target, mover in zip(targets, movers, strict=True)]),
    )


def judged(
    values: Sequence[Tensor], movers: Sequence[Tensor], ended: Sequence[tuple[Tensor, Tensor]], last: Tensor, keep: float
) -> tuple[list[Tensor], list[Tensor]]:
    """How much better each decision was than expected, and what every seat's chance should have been said to be, step by step.

    A decision is compared with what the same seat thought at its own next decision: only then does it know again all that it knew. What
    seats think of one another is drawn towards what they came to think of themselves.
    """
    later, gained = last.clone(), torch.zeros_like(last)
    advantages: list[Tensor] = []
    targets: list[Tensor] = []
    for n in reversed(range(len(values))):
        over, won = ended[n]
        later = torch.where(over[:, None], won, later)
        gained = torch.where(over[:, None], torch.zeros_like(gained), gained)
        mover = movers[n][:, None]
        now = values[n].gather(1, mover)
        advantage = later.gather(1, mover) - now + keep * gained.gather(1, mover)
        later = later.scatter(1, mover, now)
        gained = gained.scatter(1, mover, advantage)
        advantages.append(advantage[:, 0])
        expected = (later + gained).clamp(0.0, 1.0)
        targets.append(expected / expected.sum(1, keepdim=True).clamp_min(1e-6))
    return advantages[::-1], targets[::-1]


def decide(network: Network, seen: Sight, seats: int) -> tuple[Tensor, Tensor, Tensor]:
    """One of the offered actions for each row by chance, the logarithm of its likelihood, and the chance of every seat to win."""
    rows, offered, counts, movers = seen
    with torch.autocast(rows.device.type, torch.bfloat16):
        scores, worth = network(rows)
    logs = likelihoods(scores, offered, counts)
    chosen = torch.argmax(logs - torch.empty_like(logs).exponential_().clamp_min_(1e-20).log_(), 1)
    told = chances(worth, torch.full_like(movers, seats))[:, :seats]
    at = (torch.arange(seats, device=rows.device) - movers[:, None]) % seats
    return chosen, logs.gather(1, chosen[:, None])[:, 0], told.gather(1, at)


def turned(by_seat: Tensor, movers: Tensor, seats: int, most: int) -> Tensor:
    """Values by seat, counted from the one who decides."""
    at = (torch.arange(seats, device=by_seat.device) + movers[:, None]) % seats
    return functional.pad(by_seat.gather(1, at), (0, most - seats))


class Learner:
    """A network and the memory of its optimiser."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.optimiser = torch.optim.Adam(network.parameters(), eps=1e-5, fused=True)

    def learn(self, played: Rollout, dials: Dials) -> dict[str, float]:
        """Draw the network towards what paid; answers how that went."""
        for group in self.optimiser.param_groups:
            group["lr"] = dials.rate
        told = []
        advantages = (played.advantages - played.advantages.mean()) / (played.advantages.std() + 1e-6)
        for _ in range(dials.epochs):
            for chosen in torch.split(torch.randperm(len(advantages), device=advantages.device), dials.batch):
                told.append(self._improve(played, advantages, chosen, dials))
        means = torch.stack(told).mean(0).tolist()
        return dict(zip(("policy", "value", "entropy"), means, strict=True))

    def imitate(self, watched: Examples, epochs: int, batch: int = 4096) -> dict[str, float]:
        """Draw the network towards what others did, and towards what came of it."""
        for group in self.optimiser.param_groups:
            group["lr"] = IMITATION_RATE
        device = next(self.network.parameters()).device
        rows, offered, counts, won, seats = (torch.from_numpy(part).to(device) for part in watched)
        told = []
        for _ in range(epochs):
            for chosen in torch.split(torch.randperm(len(rows), device=device), batch):
                with torch.autocast(device.type, torch.bfloat16):
                    scores, worth = self.network(rows[chosen])
                policy = -likelihoods(scores, offered[chosen], counts[chosen])[:, 0].mean()
                value = -(won[chosen] * torch.log(chances(worth, seats[chosen]).clamp_min(1e-9))).sum(1).mean()
                self._step(policy + 0.1 * value)
                told.append(torch.stack([policy, value]).detach())
        means = torch.stack(told[-max(1, len(told) // epochs) :]).mean(0).tolist()
        return dict(zip(("imitation", "foretelling"), means, strict=True))

    def _step(self, loss: Tensor) -> None:
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
        self.optimiser.step()

    def _improve(self, played: Rollout, advantages: Tensor, chosen: Tensor, dials: Dials) -> Tensor:
        with torch.autocast(advantages.device.type, torch.bfloat16):
            scores, worth = self.network(played.rows[chosen])
        logs = likelihoods(scores, played.offered[chosen], played.counts[chosen])
        ratio = torch.exp(logs.gather(1, played.chosen[chosen, None])[:, 0] - played.logs[chosen])
        gain = advantages[chosen]
        policy = -torch.minimum(ratio * gain, ratio.clamp(1 - dials.clip, 1 + dials.clip) * gain).mean()
        value = -(played.targets[chosen] * torch.log(chances(worth, played.seats[chosen]).clamp_min(1e-9))).sum(1).mean()
        entropy = -(logs.exp() * logs.clamp_min(-30)).sum(1).mean()
        self._step(policy + 0.5 * value - dials.entropy * entropy)
        return torch.stack([policy, value, entropy]).detach()
