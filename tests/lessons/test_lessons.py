"""Lessons: every stage is played to its end, every wrong try too; arrangements are exact, and files that cannot be stages say why."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from drunemeton.bots import make_bot
from drunemeton.cli import main
from drunemeton.lessons import Arrangement, BadStage, Stage, arrange, begin, example, find_stage, judge, reply, stages
from drunemeton.lessons.check import check_closing, check_stage, check_words
from drunemeton.lessons.goals import holds, look_up
from drunemeton.lessons.stage import read_stage
from drunemeton.locales import LANGUAGES, catalogue, say
from drunemeton.rules.chance import Chance
from drunemeton.rules.errors import GameError
from drunemeton.rules.game import playable
from drunemeton.rules.story import orders_in
from drunemeton.rules.teaching import things

STAGES = [stage for game in playable() for stage in stages(game)]
EXAMPLES = [shown for game in playable() if (shown := example(game)) is not None]
TAUGHT = [stage for stage in STAGES if not stage.closing]
DOCS = Path(__file__).parents[2] / "docs"


def named(stage: Stage) -> str:
    return f"{stage.game}-{stage.name}"


@pytest.mark.parametrize("stage", STAGES, ids=named)
def test_a_stage_is_played_to_its_end_and_every_wrong_try_is_answered(stage: Stage) -> None:
    check_words(stage)
    report = check_closing(stage) if stage.closing else check_stage(stage)
    assert report.tries > report.wrong
    assert stage.closing or (report.wrong > 0 and report.ways > 0)


@pytest.mark.parametrize("game", [game for game in playable() if stages(game)])
def test_a_lesson_is_short_and_ends_with_a_game(game: str) -> None:
    found = stages(game)
    assert 6 <= len(found) <= 9
    assert [stage.closing for stage in found] == [False] * (len(found) - 1) + [True]
    assert sum(len(stage.solution) for stage in found) <= 30, "two taps a decision, sixty in all"


@pytest.mark.parametrize("stage", EXAMPLES, ids=named)
def test_an_example_can_be_stepped_through(stage: Stage) -> None:
    check_words(stage)
    assert check_stage(stage).ways == 1
    assert not stages(stage.game)[0].example


@pytest.mark.parametrize("stage", [*STAGES, *EXAMPLES], ids=named)
def test_a_stage_names_rules_that_there_are(stage: Stage) -> None:
    text = (DOCS / "rules" / "en" / f"{stage.game}.md").read_text(encoding="utf-8")
    for rule in stage.rules:
        assert f"**{rule}**" in text, rule


@pytest.mark.parametrize("stage", STAGES, ids=named)
def test_a_stage_points_at_what_is_there(stage: Stage) -> None:
    assert set(stage.point) <= set(things(begin(stage), stage.seat))


@pytest.mark.parametrize("name", [stage.name for stage in STAGES if stage.game == "daemonen"])
def test_no_stage_points_at_where_nobody_can_stand(name: str) -> None:
    """DD-2.1: what is ringed is tapped, and a tap on a portal can only be refused."""
    stage = find_stage("daemonen", name)
    kinds = {f"cell:{cell['cell']}": cell["kind"] for cell in begin(stage).view(stage.seat)["cells"]}
    assert "portal" not in {kinds.get(pointed) for pointed in stage.point}


@pytest.mark.parametrize("name", ["dance", "way"])
def test_no_token_is_won_before_it_is_explained(name: str) -> None:
    """DW-5.4: whichever right move is played in the first two stages of Druidenwalzer, contests end in a draw."""
    stage = find_stage("druidenwalzer", name)
    plan, offered = arrange(stage), begin(stage).legal()
    right = [move for move in offered if judge(stage, [], move, plan).kind == "done"]
    assert right
    for move in right:
        game = begin(stage)
        assert "token" not in {event["kind"] for event in game.play(move)}, move


@pytest.mark.parametrize("game", sorted({stage.game for stage in TAUGHT}))
def test_a_lesson_is_short(game: str) -> None:
    """Without its closing game at most 60 interactions and six minutes, for who reads every word in any language."""
    taught = [stage for stage in TAUGHT if stage.game == game]
    played = [move for stage in taught for move in stage.solution]
    # A card is taken up, a place chosen, the move played; what is not in the hand (a place, an action, a part) takes two taps.
    from_hand = [move for move in played if game != "daemonen" and move.split()[0] not in {"take", "give", "draw", "swap"}]
    taps = 2 * len(played) + len(from_hand) + 2 * len(taught)  # each text is folded away on a phone, and left by `Next`
    assert taps <= 60
    for language in LANGUAGES:
        words = sum(len(str(catalogue(language)[stage.key(what)]).split()) for stage in taught for what in ("goal", "text", "done"))
        assert words / 150 + taps * 3 / 60 <= 6, language


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_of_a_lesson_is_left_over(language: str) -> None:
    wanted = {key for stage in (*STAGES, *EXAMPLES) for key in stage.texts}
    there = {key for key in catalogue(language) if re.match(r"lesson\.\w+\.\w+\.", key)}
    assert there == wanted


@pytest.mark.parametrize("stage", TAUGHT, ids=named)
def test_every_sentence_for_a_wrong_try_can_be_filled_in(stage: Stage) -> None:
    plan = arrange(stage)
    for move in begin(stage).offered():
        verdict = judge(stage, [], move, plan)
        if verdict.kind == "wrong":
            told = say("en", stage.key(f"wrong.{verdict.say}"), **verdict.params)
            assert "?" not in re.sub(r"\?(?= |$)", "", told), told
            assert "{" not in told


@pytest.mark.parametrize("stage", TAUGHT, ids=named)
def test_whatever_the_secret_the_position_and_the_way_are_the_same(stage: Stage) -> None:
    one, other = (begin(stage, Chance.fresh()) for _ in range(2))
    assert one.view(stage.seat) == other.view(stage.seat)
    assert one.to_move == stage.seat
    assert not one.chance.auditable


def test_shuffles_after_the_arrangement_come_from_the_secret_and_only_those() -> None:
    stage = find_stage("celtica", "ruin")
    plan = arrange(stage)
    games = []
    for secret in (Chance.from_seed(1), Chance.from_seed(2)):
        game = stage.game_type(stage.seats, stage.options, stage.components, plan.chance(secret))
        plan.lead(game)
        arranged = [orders_in(step.rows) for step in game.steps]
        while not any(orders_in(step.rows) for step in game.steps[len(arranged) :]) and game.to_move is not None:
            game.carry_out(game.legal()[0])
        games.append((arranged, [orders_in(step.rows) for step in game.steps[len(arranged) :]]))
    assert games[0][0] == games[1][0]
    assert any(games[0][1]), "nothing was shuffled after the arrangement"
    assert games[0][1] != games[1][1]


def test_an_arrangement_is_rebuilt_from_what_is_stored() -> None:
    stage = find_stage("daemonen", "temple")
    plan = Arrangement.read(arrange(stage).describe())
    game = stage.game_type(stage.seats, stage.options, stage.components, plan.chance(Chance.fresh()))
    plan.lead(game)
    assert game.view(0) == begin(stage).view(0)


def test_a_try_changes_nothing_and_may_be_repeated() -> None:
    stage = find_stage("druidenwalzer", "way")
    first = judge(stage, [], "W 4<@1")
    assert (first.kind, first.say) == ("wrong", "arrow")
    assert any(event["kind"] == "danced" for event in first.would)
    assert judge(stage, [], "W 4<@1") == first
    assert judge(stage, [], "W 4>@3").kind == "done"


def test_the_others_reply_as_the_stage_says_and_only_when_it_fits() -> None:
    stage = find_stage("druidenwalzer", "jump")
    game = begin(stage)
    begun = len(game.steps)
    assert reply(stage, game, begun) is None, "the learner is on turn"
    game.play("J orange")
    assert reply(stage, game, begun) == stage.replies[0]
    game.play(stage.replies[0])
    game.play(game.legal()[0])
    assert reply(stage, game, begun) is None, "the replies are used up"


@pytest.mark.parametrize(
    ("condition", "held"),
    [
        ({"event": "token", "tree": "S*"}, True),
        ({"event": "token", "tree": "S*", "count": 2}, False),
        ({"event": "token", "tree": "M*"}, False),
        ({"no_event": "token", "tree": "M*"}, True),
        ({"view": "trees[name=S1].tokens", "at_least": 1}, True),
        ({"view": "trees[name=S1].tokens", "at_most": 1}, False),
        ({"view": "trees[name=S9].tokens", "is": 0}, True),
        ({"view": "hand.moon", "has": "m5<"}, True),
        ({"move": "W *@4"}, True),
        ({"move": "J *"}, False),
    ],
)
def test_conditions(condition: dict[str, object], held: bool) -> None:
    told = [{"kind": "token", "rule": "DW-5.4", "tree": "S1", "tokens": 2}]
    view = {"trees": [{"name": "S1", "tokens": 2}], "hand": {"moon": ["m5<"]}}
    assert holds(condition, told, view, "W 5<@4") is held


def test_a_value_that_a_view_does_not_have_counts_as_none() -> None:
    assert look_up({"players": []}, "players[seat=red].points") == 0


GOOD = """
seat = "moon"
rules = ["DW-4.3"]
moves = ["1<", "1<", "orange@1", "purple@2", "black@3", "orange@1", "purple@2", "black@3"]
solution = ["W 4>@2"]
[options]
stack = 1
[orders]
moon = "m2< m3< m1> m2> m4> m5< m5>"
sun = "s2> s3> s1< s4< s3< s2< s5<"
[[goal]]
event = "danced"
"""


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("seat = ", "chair = "), "unknown: chair"),
        (('"moon"\nrules', '"mars"\nrules'), "seat is one of"),
        (("[[goal]]\nevent", "[[goal]]\nevil"), "a condition has one of"),
        (('[[goal]]\nevent = "danced"', ""), "either a goal or"),
        (('m5< m5>"', 'm5< m5<  m5< m5<"'), "not so many of m5<"),
        (('moon = "m2<', 'mars = "m2<'), "no pile mars"),
        (('"black@3"]', '"black@3", "W 5<@9"]'), "W 5<@9"),
        (("m2< m3<", "m2< m??"), "orders.moon"),
        (("W 4>@2", "W 5<@2"), "W 5<@2 of the solution is wrong"),
        (('event = "danced"', 'event = "turn"'), "no try can be wrong"),
    ],
)
def test_a_file_that_is_no_stage_says_what_is_wrong(tmp_path: Path, change: tuple[str, str], problem: str) -> None:
    folder = tmp_path / "druidenwalzer"
    folder.mkdir()
    path = folder / "1-dance.toml"
    path.write_text(GOOD, encoding="utf-8")
    assert check_stage(read_stage(path)).ways == 4
    assert change[0] in GOOD
    path.write_text(GOOD.replace(*change), encoding="utf-8")
    with pytest.raises(GameError, match=re.escape(problem)):
        check_stage(read_stage(path))


def test_a_way_that_leads_nowhere_is_found() -> None:
    stage = dataclasses.replace(find_stage("celtica", "parts"), way=(("take *",),))
    with pytest.raises(BadStage):
        check_stage(stage)


def test_the_command_lists_and_checks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lessons", "celtica", "--lang", "de"]) == 0
    listed = capsys.readouterr().out
    assert "Führ den roten Druiden ins Dorf" in listed
    assert len(listed.splitlines()) == len(stages("celtica"))
    assert main(["lessons", "celtica", "--check"]) == 0
    assert "wrong tries answered" in capsys.readouterr().out


@pytest.mark.parametrize("corner", ["2,0/1", "2,1/1", "2,1/0", "3,-1/0"])
def test_every_third_stone_at_a_field_leads_to_its_temple(corner: str) -> None:
    """Two fields share both stones that stand: whichever of them gets the third, nobody is told that he is wrong."""
    stage = find_stage("daemonen", "temple")
    assert judge(stage, [], f"stone {corner}").kind == "on"
    assert judge(stage, [f"stone {corner}"], "from reserve").kind == "on"


def test_the_closing_game_of_daemonen_lets_the_learner_play() -> None:
    """In his first three turns something besides dark magic can always be done, and in half of the games at most somebody is swallowed."""
    stage = find_stage("daemonen", "game")
    bots = [make_bot(stage.game_type, name, plain=True) for name in ("greedy", stage.bot or "")]
    lost = 0
    for secret in range(6):
        game = begin(stage, Chance.from_seed(secret))
        turns = 0
        while game.to_move is not None and turns <= 3:
            view = game.view(stage.seat)
            if game.to_move == stage.seat and view["phase"] == "choose" and not view["chosen"]:
                turns += 1
                assert any(prospect["possible"] for prospect in view["prospects"] if prospect["action"] != "dark")
            events = game.play(bots[game.to_move != stage.seat].choose(game.known_to(game.to_move), seed=turns))
            lost += sum(event["kind"] == "population_lost" and event["seat"] == "red" for event in events)
    assert lost <= 3
