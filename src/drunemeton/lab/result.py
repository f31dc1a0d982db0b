"""What an experiment came to: figures with intervals, differences deal by deal, findings, and what can be said in plain words."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import __version__
from ..rules.errors import GameError
from .experiment import Experiment, from_result
from .measures import Measurable, is_share, luck, names, values
from .stats import ERRING, SURE, Estimate, Look, chance_of, estimate, holm, pairing

DIGITS = 9
EXTREMES = (
    ("longest", "length.turns", 1),
    ("shortest", "length.turns", -1),
    ("most dramatic", "open.drama", 1),
    ("longest open", "open.until", 1),
)


class Columns:
    """The measures of every deal, by setting: what figures are made of."""

    def __init__(self, shapes: list[Measurable], mirrored: bool) -> None:
        self.shapes, self.mirrored = shapes, mirrored
        self.names = names(shapes[0])
        self._kept: list[list[list[float]]] = [[] for _ in shapes]  # by setting and deal
        self.sides: list[list[list[float]]] = [[] for _ in shapes]  # the first player's results, by setting, deal and how far he was turned

    @property
    def deals(self) -> int:
        """How many were played."""
        return len(self._kept[0])

    def add(self, rows: list[list[int]]) -> None:
        """One more deal: a row for every setting and turn."""
        at = 0
        for shape, kept, sides in zip(self.shapes, self._kept, self.sides, strict=True):
            turns = shape.seats if self.mirrored else 1
            games = [values(shape, rows[at + turned], turned) for turned in range(turns)]
            at += turns
            kept.append([sum(column) / turns for column in zip(*games, strict=True)])
            if shape.unlike:
                first = self.names.index("player.1")
                sides.append([game[first] for game in games])

    def array(self, deals: int) -> Any:
        """Settings x deals x measures, of the first so many deals."""
        import numpy as np

        return np.array([kept[:deals] for kept in self._kept])


@dataclass(frozen=True)
class Result:
    """What came out, as data; `text` is the file."""

    data: dict[str, Any] = field(repr=False)

    @property
    def answered(self) -> bool:
        """Whether the question of the experiment is answered."""
        return bool((self.data["answer"] or {}).get("answered", False))

    def text(self) -> str:
        """The file's text, the same for the same deals."""
        return json.dumps(self.data, indent=1, sort_keys=True, ensure_ascii=False) + "\n"

    @property
    def settings(self) -> list[dict[str, Any]]:
        """The settings, the base first."""
        return self.data["experiment"]["settings"]  # type: ignore[no-any-return]

    def figure(self, setting: int, measure: str) -> dict[str, float]:
        """A measure of a setting: mean, low, high, spread."""
        return self.data["figures"][setting][measure]  # type: ignore[no-any-return]

    def difference(self, setting: int, measure: str) -> dict[str, Any]:
        """A measure of a setting against the base."""
        return self.data["differences"][setting - 1][measure]  # type: ignore[no-any-return]


def read_result(path: Path) -> Result:
    """A result from its file."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise GameError(f"{path} cannot be read: {problem.strerror}") from problem
    except (ValueError, RecursionError) as problem:
        raise GameError(f"{path} is no result of the laboratory") from problem
    if not isinstance(data, dict) or data.get("lab") != 1:
        raise GameError(f"{path} is no result of the laboratory")
    if not _is_whole(data):
        raise GameError(f"{path} is a damaged result of the laboratory: make it anew with `drunemeton lab run EXPERIMENT`")
    return Result(data)


def _is_whole(data: dict[str, Any]) -> bool:
    """Whether a result has what every reader of one counts on: its experiment, and all figures of all settings."""
    try:
        from_result(data["experiment"])
        settings, measures, deals = len(data["experiment"]["settings"]), data["measures"], data["deals"]
        counted = [len(data[part]) for part in ("figures", "luck", "extremes")]
        rows = [
            one[name][part] for one in [*data["figures"], *data["differences"]] for name in measures for part in ("mean", "low", "high")
        ]
        rows += [one[name]["spread"] for one in data["figures"] for name in measures]
        rows += [one[part] for one in data["findings"] for part in ("mean", "low", "high", "chance")]
        rows += [deals, data["experiment"]["deals"], data["experiment"]["seed"], data["looks"][-1]["deals"]]
        named = [one["name"] for one in data["experiment"]["settings"]] + [
            one[part] for one in data["findings"] for part in ("setting", "measure")
        ]
        counts = all(one is None or isinstance(one, int | float) for one in rows)
        answer = data["answer"] is None or {"answered", "verdicts", "measure", "within"} <= data["answer"].keys()
        return counts and answer and all(isinstance(name, str) for name in named) and counted == [settings] * 3
    except (KeyError, TypeError, AttributeError, ValueError, IndexError):
        return False


def _round(number: float) -> float | None:
    return round(number, DIGITS) if math.isfinite(number) else None


def judged(experiment: Experiment, columns: Columns, look: Look, *, last: bool) -> Result:
    """Everything that can be said after this look."""
    deals = min(columns.deals, look.deals)
    arrays = columns.array(deals)
    chance = SURE * look.part
    figures, differences = [], []
    for setting in range(len(arrays)):
        found = {}
        for n, name in enumerate(columns.names):
            one = _possible(name, estimate(arrays[setting][:, n], chance))
            found[name] = {"mean": _round(one.mean), "low": _round(one.low), "high": _round(one.high), "spread": _round(one.spread)}
        figures.append(found)
    others = len(arrays) - 1
    chances: list[tuple[float, int, str]] = []
    for setting in range(1, len(arrays)):
        compared: dict[str, Any] = {}
        for n, name in enumerate(columns.names):
            base, other = arrays[0][:, n], arrays[setting][:, n]
            gap = _possible(name, estimate(other - base, chance / others, difference=True), least=-1.0)
            p = chance_of(other - base)
            chances.append((p, setting, name))
            compared[name] = {"mean": _round(gap.mean), "low": _round(gap.low), "high": _round(gap.high), "chance": float(f"{p:.3g}")}
            compared[name]["pairing"] = _round(pairing(base, other)) if deals > 2 else None
        differences.append(compared)
    kept = holm([p for p, _, _ in chances], ERRING * look.part) if chances else []
    findings = [
        {"setting": experiment.settings[setting].name, "measure": name, "chance": float(f"{p:.3g}"), **_gap(differences[setting - 1][name])}
        for (p, setting, name), sure in zip(chances, kept, strict=True)
        if sure
    ]
    findings.sort(key=lambda one: (one["chance"], one["setting"], one["measure"]))
    data = {
        "lab": 1,
        "version": __version__,
        "rules": experiment.game_type.version,
        "experiment": experiment.describe(),
        "mark": experiment.mark,
        "deals": deals,
        "looks": [{"deals": one.deals, "part": one.part} for one in experiment.looks],
        "looked": look.deals,
        "sure": 1 - SURE,
        "erring": ERRING,
        "measures": columns.names,
        "figures": figures,
        "differences": differences,
        "findings": findings,
        "luck": _luck(columns, deals),
        "extremes": _extremes(experiment, columns, arrays),
    }
    data["answer"] = _answer(experiment, data, deals, last)
    return Result(data)


def _possible(name: str, found: Estimate, least: float = 0.0) -> Estimate:
    """An interval without what cannot be: of few deals that of a share may reach beyond all or nothing."""
    if not is_share(name):
        return found
    return found._replace(low=max(least, found.low), high=min(1.0, found.high))


def _gap(difference: dict[str, Any]) -> dict[str, Any]:
    return {name: difference[name] for name in ("mean", "low", "high")}


def _luck(columns: Columns, deals: int) -> list[dict[str, float | None] | None]:
    """Of each setting with two unlike players on mirrored deals: the shares of skill, seat, deal and the rest."""
    import numpy as np

    found: list[dict[str, float | None] | None] = []
    for shape, sides in zip(columns.shapes, columns.sides, strict=True):
        if not (columns.mirrored and shape.unlike and shape.seats == 2):
            found.append(None)
            continue
        both = np.array(sides[:deals])
        found.append({name: _round(share) for name, share in luck(both[:, 0], both[:, 1]).items()})
    return found


def _extremes(experiment: Experiment, columns: Columns, arrays: Any) -> list[dict[str, int]]:
    """For each setting the deals that stand out: to be looked at in replay."""
    found = []
    for one in arrays:
        named = {}
        for label, measure, sign in EXTREMES:
            column = sign * one[:, columns.names.index(measure)]
            named[label] = experiment.seed + int(column.argmax())
        found.append(named)
    return found


def _answer(experiment: Experiment, data: dict[str, Any], deals: int, last: bool) -> dict[str, Any] | None:
    """Whether the question is answered, for each setting; and if it cannot be, how many deals it would take."""
    if experiment.question is None:
        return None
    measure, within = experiment.question.measure, experiment.question.within
    compared = data["differences"] or [{measure: data["figures"][0][measure]}]
    verdicts = []
    for one in compared:
        gap = one[measure]
        half = (gap["high"] - gap["low"]) / 2
        differs = bool(data["differences"]) and (gap["low"] > 0 or gap["high"] < 0)
        known = differs or (half <= within if not data["differences"] else max(abs(gap["low"]), abs(gap["high"])) <= within)
        needed = None if known else math.ceil(deals * max(1.0, half / max(within - abs(gap["mean"]), within / 4)) ** 2)
        verdicts.append({"answered": known, "differs": differs, "needed": needed})
    answered = all(one["answered"] for one in verdicts)
    return {
        "answered": answered,
        "open": not answered and last,
        "measure": measure,
        "within": within,
        "verdicts": verdicts,
        "share": is_share(measure),
    }
