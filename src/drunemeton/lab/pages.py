"""What a study found, as the tables of a page: between two marks of a Markdown file, so that what people wrote around it stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..rules.errors import GameError
from ..rules.game import find_game
from .measures import shown
from .result import Result
from .words import interval

BEGIN, END = "<!-- lab: made by drunemeton lab page -->", "<!-- /lab -->"
MOST_USED = 24
SELDOM = 0.05  # uses a game that nobody asks about


def into(text: str, made: str) -> str:
    """A page with what stands between its marks replaced."""
    if BEGIN not in text or END not in text:
        raise GameError(f"the page lacks the marks {BEGIN} and {END}")
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{made.strip()}\n{END}{rest.partition(END)[2]}"


def page(study: Mapping[str, Result], words: Mapping[str, object] | None = None) -> str:
    """All tables of a study; `words` are those of the laboratory's page (a catalogue), by which what is used is called."""
    lines: list[str] = []
    lines += _strengths(study)
    numbers = [result for name, result in study.items() if name.startswith("numbers")]
    for result in numbers:
        lines += _numbers(result)
    if numbers:
        lines += _uses(numbers, words or {})
    for name, result in study.items():
        if name.startswith("held"):
            lines += _held(result)
        if name == "depth":
            lines += _depth(result)
    return "\n".join(lines)


def _ends(result: Result) -> list[str]:
    """The kinds of end that occur, as the game orders them."""
    named = [name for name in result.data["measures"] if name.startswith("end.") and name != "end.shared"]
    return [name for name in named if any(one[name]["mean"] > 0.005 for one in result.data["figures"])]


def _strengths(study: Mapping[str, Result]) -> Iterator[str]:
    """The game as it is, by how many play and how well."""
    yield "### The game as it is, at several strengths of play"
    yield ""
    yield "| players | deals | turns | minutes | who begins wins | end open for | ends |"
    yield "|---|---|---|---|---|---|---|"
    seen = set()
    for name, result in study.items():
        if name.startswith(("held", "depth")):
            continue
        for n, setting in enumerate(result.settings):
            plain = not setting["changed"]["options"] and not setting["changed"]["components"]
            who = f"{len(setting['players'])} x {setting['players'][0]}"
            if not plain or who in seen:
                continue
            seen.add(who)
            shares = {end.partition(".")[2]: result.figure(n, end)["mean"] for end in _ends(result)}
            ends = ", ".join(f"{end} {shown('end.', share)}" for end, share in shares.items() if share)
            cells = [interval(one, result.figure(n, one)) for one in ("length.turns", "length.minutes", "starter.wins", "open.until")]
            yield f"| {who} | {result.data['deals']} | " + " | ".join(cells) + f" | {ends} |"
    yield ""


def _numbers(result: Result) -> Iterator[str]:
    """What each change does; certain differences are marked."""
    certain = {(one["setting"], one["measure"]) for one in result.data["findings"]}
    end = _ends(result)[0]
    columns = [end, "length.turns", "starter.wins", "open.until"]
    yield f"### {result.data['experiment']['title']}"
    yield ""
    yield (
        f"{result.data['deals']} deals, the same for every row; each cell is the figure, then its difference to the first row deal by deal "
        "with the 95 % interval for all rows together; differences of shares are in percentage points. **Bold** is certain (the chance "
        "that any bold figure is false is at most 1 %)."
    )
    yield ""
    yield f"| change | ends by {end.partition('.')[2]} | turns | who begins wins | end open for |"
    yield "|---|---|---|---|---|"
    for n, setting in enumerate(result.settings):
        cells = []
        for measure in columns:
            told = shown(measure, result.figure(n, measure)["mean"])
            if n:
                told += "; " + interval(measure, result.difference(n, measure), sign=True)
            cells.append(f"**{told}**" if (setting["name"], measure) in certain else told)
        yield f"| {'as it is' if n == 0 else '`' + setting['name'] + '`'} | " + " | ".join(cells) + " |"
    yield ""
    pairs = [(one["name"], result.difference(n, "length.turns")["pairing"]) for n, one in enumerate(result.settings[1:], 1)]
    told = ", ".join(f"`{name}` {ratio:.1f}" for name, ratio in pairs[:5] if ratio)
    yield f"How many times as many games unpaired deals would need for the same interval of the turns: {told}."
    yield ""


def _uses(results: Sequence[Result], words: Mapping[str, object]) -> Iterator[str]:
    """What is used, and whether the winner does so more often, at each strength of play."""
    who = [result.settings[0]["players"][0] for result in results]
    yield "### Which actions are used, and pay"
    yield ""
    yield "Uses a game by all players, then how many more of them are the winner's, with the 95 % interval."
    yield ""
    yield f"| action | {' | '.join(who)} |"
    yield "|---|" + "---|" * len(who)
    first = results[0]
    prefix = find_game(first.data["experiment"]["game"]).prefix.lower()
    named = [name for name in first.data["measures"] if name.startswith("use.")]
    named = [name for name in named if any(one.figure(0, name)["mean"] > SELDOM for one in results)]
    named.sort(key=lambda name: -first.figure(0, name)["mean"])
    for name in named[:MOST_USED]:
        what = name.partition(".")[2]
        cells = [
            f"{shown(name, one.figure(0, name)['mean'])}; {interval(name, one.figure(0, f'pays.{what}'), sign=True)}" for one in results
        ]
        named_so = words.get(f"lab.thing.{prefix}.{what}", what.replace("_", " "))
        yield f"| {named_so} | {' | '.join(cells)} |"
    yield ""


def _titled(result: Result, about: str) -> Iterator[str]:
    """The title of an experiment, and what it was, with the number of its deals."""
    yield f"### {result.data['experiment']['title']}"
    yield ""
    yield about.format(result.data["deals"])
    yield ""


def _held(result: Result) -> Iterator[str]:
    """What it costs not to use something, or to do nothing else."""
    yield from _titled(
        result, "The first player is held, the second is not; {} deals, each from both seats. 50 % would mean that it costs nothing."
    )
    yield "| player | wins |"
    yield "|---|---|"
    for n, setting in enumerate(result.settings[1:], 1):
        yield f"| {setting['players'][0]} (against {setting['players'][1]}) | {interval('player.1', result.figure(n, 'player.1'))} |"
    yield ""


def _depth(result: Result) -> Iterator[str]:
    """What each level gains on the one below, and how much is luck."""
    yield from _titled(
        result, "{} deals, each from both seats. Shares of what decides a game: skill, the luck of the deal, all other chance."
    )
    yield "| players | the first wins | skill | deal | rest |"
    yield "|---|---|---|---|---|"
    for n, setting in enumerate(result.settings):
        luck = result.data["luck"][n] or {}
        shares = " | ".join(f"{luck.get(name, 0):.0%}" for name in ("skill", "deal", "rest"))
        yield f"| {' against '.join(setting['players'])} | {interval('player.1', result.figure(n, 'player.1'))} | {shares} |"
    yield ""
