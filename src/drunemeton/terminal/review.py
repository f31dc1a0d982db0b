"""A review in the terminal: the graph as text, each seat's account, and the moments that decided the game."""

from __future__ import annotations

from collections.abc import Sequence

from ..appraisal import Review
from ..appraisal.shape import Balance, Decision, Moment
from ..locales import catalogue, figure, say, tell_event, word
from ..records import LEFT
from ..rules.game import find_game

WIDTH, HEIGHT = 72, 9
MARKS = "ox+*#"  # seats in the graph; where two meet, the first of them is drawn


def show_review(told: Review, language: str) -> None:
    """Print a review."""
    prefix = find_game(told.game).script.prefix
    names = [word(language, prefix, name) for name in told.seat_names]
    for row in graph_lines([point.values for point in told.graph]):
        print(row)
    print("     " + "  ".join(f"{MARKS[seat]} {name}" for seat, name in enumerate(names)))
    if told.end in LEFT:
        print(f"\n{say(language, f'reviews.left.{told.end}')}")
    for line in told.lines:
        print()
        print(_account(line, names[line.seat], language))
    if told.moments:
        print()
        print(say(language, "review.moments"))
    for moment in told.moments:
        decision = None if moment.decision is None else told.decisions[moment.decision]
        for text in _moment(moment, decision, names[moment.seat], prefix, language):
            print(text)


def graph_lines(values: Sequence[Sequence[float]], width: int = WIDTH) -> list[str]:
    """Chances over the game, from 100 % above to 0 % below."""
    columns = min(width, len(values))
    rows = [[" "] * columns for _ in range(HEIGHT)]
    for column in range(columns):
        chances = values[column * (len(values) - 1) // max(1, columns - 1)]
        for seat in reversed(range(len(chances))):
            rows[round((1 - chances[seat]) * (HEIGHT - 1))][column] = MARKS[seat]
    return [f"{100 - 100 * n // (HEIGHT - 1):4} {''.join(row)}" for n, row in enumerate(rows)]


def _account(line: Balance, name: str, language: str) -> str:
    def points(value: float) -> str:
        return figure(language, 100 * value, "+.1f")

    accuracy = "-" if line.accuracy is None else f"{line.accuracy:.0f}"
    said = say(language, "review.line", seat=name, accuracy=accuracy, luck=points(line.luck), decisions=line.decisions)
    sums = {part: points(getattr(line, part)) for part in ("own", "others", "luck", "rest")}
    return f"{said}\n  " + say(
        language, "review.account", start=figure(language, 100 * line.start), end=figure(language, 100 * line.end), **sums
    )


def _moment(moment: Moment, decision: Decision | None, name: str, prefix: str, language: str) -> list[str]:
    how = {"seat": name, "step": moment.step, "points": f"{100 * abs(moment.points):.0f}"}
    if decision is not None:
        lines = [say(language, "review.mistake", **how, move=decision.move, best=decision.best)]
        why = reasons(decision, prefix, language) or [say(language, "review.without_why", points=how["points"])]
        return lines + [f"     {reason}" for reason in [*why, *_had_known(decision, language)]]
    lines = [say(language, "review.lucky" if moment.points > 0 else "review.unlucky", **how)]
    told = [tell_event(language, prefix, event) for event in moment.events if event["kind"] != "turn"]  # whose turn it is then is no luck
    return lines + [f"     {line}" for line in told if line]


def _had_known(decision: Decision, language: str) -> list[str]:
    """What would have been best with open cards, where that was another move."""
    open_cards = decision.had_known
    if open_cards is None or open_cards.move == decision.best:
        return []
    if round(100 * open_cards.value) == 0:
        return [say(language, "review.had_known.lost")]
    return [say(language, "review.had_known", move=open_cards.move, value=f"{100 * open_cards.value:.0f}")]


def reasons(decision: Decision, prefix: str, language: str) -> list[str]:
    """Why the best move is better, in words."""
    found = []
    for why in decision.better:
        event = (tell_event(language, prefix, why.event) or "") if why.event else ""
        share, instead = (f"{100 * one:.0f}" for one in (why.share, why.instead))
        better = f"reviews.why.{why.code}"  # where "it" might be taken for the other move
        if better in catalogue(language):
            found.append(f"{say(language, better)} {event}")
        else:
            found.append(say(language, f"why.{why.code}", event=event, share=share, instead=instead, **why.params))
    return found
