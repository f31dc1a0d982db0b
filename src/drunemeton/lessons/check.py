"""Every stage is played: its solution, every way that it allows, and every wrong try on that way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..bots import make_bot
from ..locales import LANGUAGES, catalogue
from ..rules.chance import Chance
from ..rules.errors import GameError
from ..rules.game import Game
from .arrangement import Arrangement, arrange, begin
from .attempt import judge, reached, reply
from .stage import BadStage, Stage, example, stages

WORDS = 40  # so many a stage's goal and text have together
TRIES = 4000  # so many moves are tried in a stage; more would mean that its way is drawn too widely
CLOSING = 110  # so many decisions of all seats the closing game may take for a learner who knows what to do
LEARNER = "greedy"  # plays as such a learner would


@dataclass
class Report:
    """What was tried in a stage."""

    stage: Stage
    decisions: int = 0
    tries: int = 0
    wrong: int = 0
    ways: int = 0


def check(game: str) -> Iterator[Report]:
    """Play every stage of a game; an error that names the stage where one cannot be played as it should."""
    found = stages(game)
    if not 6 <= len(found) <= 9:
        raise GameError(f"{game} has {len(found)} stages; a lesson has 6 to 9")
    if [stage.number for stage in found] != list(range(1, len(found) + 1)) or not found[-1].closing:
        raise GameError(f"{game}: stages are numbered from 1, and the last one is the closing game")
    shown = example(game)
    for stage in (*found, *([shown] if shown else [])):
        check_words(stage)
        yield check_closing(stage) if stage.closing else check_stage(stage)


def check_words(stage: Stage) -> None:
    """Every text is there in every language, and a stage says no more than it may."""
    for language in LANGUAGES:
        words = catalogue(language)
        if missing := [key for key in stage.texts if not isinstance(words.get(key), str)]:
            raise BadStage(_label(stage), f"the catalogue {language} lacks {', '.join(missing)}")
        told = "" if stage.example else f"{words[stage.key('goal')]} {words[stage.key('text')]}"
        if len(told.split()) > WORDS:
            raise BadStage(_label(stage), f"goal and text have {len(told.split())} words in {language}; at most {WORDS}")
        if longest := [key for key in stage.texts if len(str(words[key]).split()) > WORDS]:
            raise BadStage(_label(stage), f"too long in {language}: {longest[0]}")


def check_stage(stage: Stage) -> Report:
    """The solution leads to the goal, so does whatever the stage lets pass, and everything else is answered."""
    report = Report(stage, decisions=len(stage.solution))
    plan = arrange(stage)
    offered = {move.split()[0] for move in _at(stage, plan, []).offered()}
    if idle := set(stage.asks) - offered:
        raise BadStage(_label(stage), f"the question speaks of what cannot be played: {', '.join(sorted(idle))}")
    played: list[str] = []
    for n, move in enumerate(stage.solution):
        game = _at(stage, plan, played)
        if game.to_move != stage.seat:
            raise BadStage(_label(stage), f"another seat is on turn before {move}")
        verdict = judge(stage, played, move, plan)
        if verdict.kind != ("done" if n == len(stage.solution) - 1 else "on"):
            raise BadStage(_label(stage), f"{move} of the solution is {verdict.kind} ({verdict.say})")
        played = _after(stage, plan, [*played, move])
    if not _is_reached(stage, plan, played):
        raise BadStage(_label(stage), "the solution does not reach the goal at the table")
    _explore(stage, plan, [], report)
    if report.wrong == 0:
        raise BadStage(_label(stage), "no try can be wrong: nothing is learnt")
    return report


def _explore(stage: Stage, plan: Arrangement, played: list[str], report: Report) -> None:
    game = _at(stage, plan, played)
    if game.to_move != stage.seat:
        raise BadStage(_label(stage), f"after {played} nobody goes on")
    right = 0
    for move in game.offered():
        report.tries += 1
        if report.tries > TRIES:
            raise BadStage(_label(stage), "too many ways; draw the way more narrowly")
        verdict = judge(stage, played, move, plan)
        if verdict.kind == "wrong":
            report.wrong += 1
            if not verdict.would:
                raise BadStage(_label(stage), f"{move}: nothing would happen, so there is nothing to tell")
            continue
        right += 1
        after = _after(stage, plan, [*played, move])
        if _is_reached(stage, plan, after):
            report.ways += 1
        else:
            _explore(stage, plan, after, report)
    if right == 0:
        raise BadStage(_label(stage), f"after {', '.join(played)} no try can be right")


def check_closing(stage: Stage) -> Report:
    """The closing game can be begun and played to its end, and is short."""
    game = begin(stage, Chance.from_seed(1))
    learner, others = (make_bot(stage.game_type, name, plain=True) for name in (LEARNER, stage.bot or ""))
    report = Report(stage)
    while game.to_move is not None:
        report.decisions += game.to_move == stage.seat
        report.tries += 1
        bot = learner if game.to_move == stage.seat else others
        game.carry_out(bot.choose(game.known_to(game.to_move), seed=report.tries))
        if report.tries > CLOSING:
            raise BadStage(_label(stage), f"the closing game has not ended after {CLOSING} decisions")
    return report


def _label(stage: Stage) -> str:
    return f"{stage.game}/{stage.name}"


def _at(stage: Stage, plan: Arrangement, played: list[str]) -> Game:
    game = stage.game_type(stage.seats, stage.options, stage.components, plan.chance(Chance.from_seed(1)))
    plan.lead(game)
    for move in played:
        game.carry_out(move)
    return game


def _after(stage: Stage, plan: Arrangement, played: list[str]) -> list[str]:
    """The moves with what the others reply to them."""
    game = _at(stage, plan, played)
    begun = len(plan.moves) + 1
    while not reached(stage, game, begun) and (answer := reply(stage, game, begun)) is not None:
        game.carry_out(answer)
        played = [*played, answer]
    return played


def _is_reached(stage: Stage, plan: Arrangement, played: list[str]) -> bool:
    return reached(stage, _at(stage, plan, played), len(plan.moves) + 1)
