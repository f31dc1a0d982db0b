"""Experiments: the same deals for all, the same file whoever plays them and however often they are interrupted."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from drunemeton import lab, records
from drunemeton.appraisal.calibration import Calibration, calibration_of
from drunemeton.appraisal.glance import GLANCE, at_a_glance
from drunemeton.bots.match import Match
from drunemeton.lab.experiment import from_result, made
from drunemeton.lab.measures import is_share, minutes, names, values
from drunemeton.lab.running import Run, beside, record_of, shapes_of
from drunemeton.lab.tables import LabTable, read_player
from drunemeton.lab.things import PACE, things
from drunemeton.lab.watch import BITS, DECISIONS, DRAMA, END, HEAD, LEADS, MOMENTS, OPEN, TURNS, Watched, follow_leads
from drunemeton.rules.errors import GameError
from drunemeton.rules.game import Game, find_game

GAME = "druidenwalzer"
SMALL: dict[str, Any] = {"trees": 2, "stack": 2, "hand": 2, "tokens_to_conquer": 2, "trees_to_lose": 1}


def small(**more: Any) -> lab.Experiment:
    """Quick games: two trees a side."""
    return made({"game": GAME, "options": SMALL, "players": ["random", "random"], "deals": 40, **more})


def test_whoever_is_free_plays_as_in_a_match() -> None:
    for players in (["random", "random"], ["greedy", "random"]):
        match, table = Match(find_game(GAME), players, SMALL), LabTable(find_game(GAME), players, SMALL)
        for deal in range(1, 12):
            for turned in (0, 1):
                decisions, turns, end, places = match.play(deal, turned)
                row = table.play(deal, turned)
                assert (row[DECISIONS], row[TURNS], table.game.ends[row[END]]) == (decisions, turns, end)
                assert [row[HEAD + (player + turned) % 2] for player in range(2)] == places
    shape = shapes_of([table])[0]
    assert len(names(shape)) == len(values(shape, row, 1)) == len(set(names(shape)))


def test_a_run_is_the_same_byte_by_byte_interrupted_or_not(tmp_path: Path) -> None:
    experiment = small(vary=[{"set": "hand", "to": [1, 2]}, {"set": "sun.5<", "to": [9]}], mirrored=True)
    assert [one.name for one in experiment.settings] == ["default", "hand=1", "sun.5<=9"]
    whole = tmp_path / "whole.json"
    lab.run(experiment, whole, processes=1)
    kept = beside(whole, "games.jsonl").read_bytes()
    for cut in (0, len(kept) // 3, len(kept) - 5):
        again = tmp_path / f"again{cut}.json"
        beside(again, "games.jsonl").write_bytes(kept[:cut])
        lab.run(experiment, again, processes=1)
        assert again.read_bytes() == whole.read_bytes()
        assert beside(again, "games.jsonl").read_bytes() == kept
    result = lab.read_result(whole)
    assert from_result(result.data["experiment"]).settings[1].options["hand"] == 1
    assert lab.run(from_result(result.data["experiment"]), processes=1).data["figures"] == result.data["figures"]
    with pytest.raises(GameError, match="another experiment"):
        lab.run(small(seed=2), whole, processes=1)


def test_two_processes_and_an_interruption_make_no_difference(tmp_path: Path) -> None:
    experiment = small(deals=50, vary=[{"set": "hand", "to": [1]}], question={"measure": "length.turns", "within": 0.2})
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    lab.run(experiment, one, processes=1)

    def stop(done: int, columns: Any) -> None:
        if done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lab.run(experiment, two, processes=2, each=stop)
    assert len(beside(two, "games.jsonl").read_text().splitlines()) == 8
    lab.run(experiment, two, processes=2)
    assert two.read_bytes() == one.read_bytes()
    assert json.loads(beside(two, "times.json").read_text())["processes"] == 2


def test_it_stops_when_the_question_is_answered_and_says_when_it_cannot_be() -> None:
    asked = {"measure": "length.turns", "within": 0.5}
    sure = lab.run(small(deals=400, vary=[{"set": "tokens_to_conquer", "to": [6]}], question=asked), processes=1)
    assert sure.answered
    assert sure.data["deals"] < 400
    assert sure.data["answer"]["verdicts"][0]["differs"]
    unsure = lab.run(small(deals=40, vary=[{"salt": [5]}], question={"measure": "seat.sun", "within": 0.001}), processes=1)
    assert not unsure.answered
    assert unsure.data["answer"]["open"]
    assert unsure.data["answer"]["verdicts"][0]["needed"] > 40
    assert "cannot be answered" in lab.report(unsure)
    assert "is answered" in lab.report(sure)


def test_a_share_lies_between_nothing_and_all_however_few_deals_there_are() -> None:
    """Of four deals an interval of "open for 94 %" would reach beyond 100 %, and one of a difference beyond all of it."""
    found = lab.run(small(deals=4, vary=[{"set": "hand", "to": [1]}, {"set": "tokens_to_conquer", "to": [6]}]), processes=1)
    shares = [name for name in found.data["measures"] if is_share(name)]
    assert "open.until" in shares
    figures = [one[name] for one in found.data["figures"] for name in shares]
    differences = [one[name] for one in found.data["differences"] for name in shares]
    assert all(0 <= one["low"] <= one["high"] <= 1 for one in figures)
    assert all(-1 <= one["low"] <= one["high"] <= 1 for one in differences)
    assert any(abs(one["high"]) == 1 or abs(one["low"]) == 1 for one in differences)


def test_who_may_not_use_something_does_not_unless_he_must() -> None:
    game = find_game(GAME)
    free, held = LabTable(game, ["greedy", "greedy"], SMALL), LabTable(game, ["greedy without jump", "greedy only waltz"], SMALL)
    rows = [[table.play(deal) for deal in range(1, 30)] for table in (free, held)]
    at = [HEAD + 4 + 2 * free.things.number(name) for name in ("jump", "waltz", "retreat_tree")]
    jumps, others = (sum(row[at[0] + seat] for row in rows[1]) for seat in (0, 1))
    assert sum(row[at[0]] for row in rows[0]) > jumps == 0
    assert others <= sum(row[at[0] + 1] for row in rows[0])
    assert sum(row[at[1] + 1] for row in rows[1]) > 0
    assert read_player("level-3 without jump + card 5") == ("level-3", 1, ("jump", "card 5"))
    with pytest.raises(GameError, match="nothing here is called"):
        LabTable(game, ["greedy without dragons", "greedy"], SMALL)


def test_on_a_gpu_nobody_searches_or_is_held() -> None:
    for players in (["level-1", "random"], ["greedy without jump", "greedy"]):
        with pytest.raises(GameError, match="on a GPU random and greedy play"):
            LabTable(find_game(GAME), players, SMALL, on="gpu")


def test_a_search_that_is_held_takes_the_best_of_what_it_may() -> None:
    table = LabTable(find_game(GAME), ["level-1 without waltz", "random"], SMALL)
    free = LabTable(find_game(GAME), ["level-1", "random"], SMALL)
    waltz = HEAD + 4 + 2 * table.things.number("waltz")
    assert sum(table.play(deal)[waltz] for deal in range(1, 6)) < sum(free.play(deal)[waltz] for deal in range(1, 6))


@pytest.mark.parametrize(
    "lost", ["deals", "figures", "findings", "experiment.seed", "experiment.settings", "looks", "answer", "measures", "luck"]
)
@pytest.mark.parametrize("instead", [None, 3, "x"])
def test_a_result_that_is_not_whole_is_told_from_one_that_is(lost: str, instead: Any, tmp_path: Path) -> None:
    told = {"game": "druidenwalzer", "players": ["random", "random"], "deals": 3, "vary": [{"set": "hand", "to": [2]}]}
    result = Run(made(told)).run()
    path = tmp_path / "result.json"
    path.write_text(result.text(), encoding="utf-8")
    assert lab.read_result(path) == result
    data = json.loads(result.text())
    place, _, name = lost.rpartition(".")
    within = data[place] if place else data
    if instead is None:
        del within[name]
    elif lost in ("deals", "experiment.seed") and instead == 3:
        within[name] = [3]
    else:
        within[name] = instead
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(GameError, match="damaged"):
        lab.read_result(path)


def test_any_game_of_a_result_can_be_replayed() -> None:
    experiment = small(vary=[{"set": "hand", "to": [1]}])
    result = lab.run(experiment, processes=1)
    deal = result.data["extremes"][1]["longest"]
    verdict = records.verify(records.read(record_of(experiment, "hand=1", deal)))
    assert verdict.result is not None
    with pytest.raises(GameError):
        record_of(experiment, "hand=7", deal)
    with pytest.raises(GameError, match="not mirrored"):
        record_of(experiment, "hand=1", deal, turned=1)
    mirrored = small(mirrored=True)
    assert record_of(mirrored, None, deal, turned=1)
    with pytest.raises(GameError, match="0 to 1"):
        record_of(mirrored, None, deal, turned=2)


def test_mirrored_deals_tell_luck_from_skill() -> None:
    result = lab.run(made({"game": GAME, "options": SMALL, "players": ["greedy", "random"], "deals": 60, "mirrored": True}), processes=1)
    shares = result.data["luck"][0]
    assert sum(shares.values()) == pytest.approx(1, abs=0.2)
    assert shares["skill"] > 0.15
    assert result.figure(0, "player.1")["mean"] + result.figure(0, "player.2")["mean"] == pytest.approx(1)
    assert "skill is" in lab.report(result)


def test_what_is_wrong_in_an_experiment_is_named() -> None:
    for wrong in (
        {"players": "greedy"},
        {"deals": 0},
        {"deals": True},
        {"vary": [{"set": "dragons", "to": [1]}]},
        {"vary": [{"set": "hand", "to": [9]}]},
        {"vary": [{"file": ["x.toml"]}]},
        {"question": {"measure": "length.turns"}},
        {"colour": 1},
        {"players": ["greedy", "nobody"]},
    ):
        with pytest.raises(GameError):
            Run(made({"game": GAME, "deals": 40, **wrong}))
    with pytest.raises(GameError, match="there is no measure"):
        Run(small(question={"measure": "length.dances", "within": 1}))


def test_reports_hold_what_was_found(tmp_path: Path) -> None:
    result = lab.run(small(deals=100, vary=[{"set": "tokens_to_conquer", "to": [6]}]), processes=1)
    assert {"tokens_to_conquer=6"} == {one["setting"] for one in result.data["findings"]}
    text = lab.report(result)
    assert "**tokens_to_conquer=6**: turns a game +" in text
    from drunemeton.lab.report import write_html, write_markdown

    write_html(result, tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert page.count("<svg") >= 4
    assert "@@" not in page
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    written = write_markdown(result, tmp_path / "r.md")
    assert len(written) >= 5
    assert all(path.exists() for path in written)
    thought = {"settings": {"default": {"seconds_a_decision": 0.0125}, "tokens_to_conquer=6": {"seconds_a_decision": None}}}
    assert "| default | 12.5 |" in lab.report(result, thought)
    certain = [line for line in text.splitlines() if line.startswith("- **")]
    assert {line.split(": ", 1)[1].split(" ")[0] for line in certain[:3]} == {"turns", "decisions", "minutes"}
    assert page.count("<thead>") == page.count("</tbody></table>") > 0
    many = lab.run(small(deals=4, vary=[{"salt": [1, 2, 3, 4, 5]}]), processes=1)
    heads = [line for line in lab.report(many).splitlines() if line.startswith("| measure |")]
    assert heads == ["| measure | default | salt=1 | salt=2 | salt=3 |", "| measure | default | salt=4 | salt=5 |"]
    assert lab.report(many).startswith("# Druidenwalzer: default, salt=1, salt=2, salt=3, and 2 more\n")
    found = lab.compare(result, result)
    assert not any(row["certain"] for row in found["measures"])


def followed(rows: list[list[float]], places: list[int], scale: float = 1.0) -> tuple[int, int, int]:
    """What is made of chances over a game: thousandths that were open, changes of the lead, thousandths behind."""
    report = [0] * HEAD + places
    report[MOMENTS] = len(rows)
    follow_leads(Watched(None, None, rows, None, report, None, scale, 0.0), len(places))
    return report[OPEN], report[LEADS], report[DRAMA]


def test_the_end_is_open_until_a_chance_of_nine_in_ten_is_not_lost_again() -> None:
    def ahead(chance: float) -> list[float]:
        return [math.log(chance / (1 - chance)), 0.0]

    rows = [ahead(chance) for chance in (0.5, 0.95, 0.3, 0.89, 0.91)]
    assert followed(rows, [1, 2]) == (800, 2, int(1000 * 0.4 / 5))
    assert followed(rows, [2, 1])[0] == 1000
    assert followed([[2 * one for one in row] for row in rows], [1, 2], scale=2.0) == followed(rows, [1, 2])
    assert followed(rows, [1, 1]) == (1000, 2, 0)
    # Nine to one against each of three others is not nine in ten.
    assert followed([[math.log(9), 0.0, 0.0, 0.0]], [1, 2, 3, 4])[0] == 1000
    assert followed([[math.log(28), 0.0, 0.0, 0.0]], [1, 2, 3, 4])[0] == 0


@pytest.mark.parametrize(("game", "seats"), [(GAME, 2), *(("celtica", n) for n in (2, 3, 4, 5)), *(("daemonen", n) for n in (2, 3, 4))])
def test_chances_at_a_glance_are_the_appraisals(game: str, seats: int) -> None:
    """The map was fitted for every table, and the laboratory's two numbers say the same as the appraisal's map."""
    found = calibration_of(game, seats, GLANCE)
    assert found != Calibration()
    scale, turn = at_a_glance(find_game(game), seats)
    outlooks = [700.0, -300.0, 100.0, 0.0, 250.0][:seats]
    raw = [math.exp(one / (scale * found.sharpness)) for one in outlooks]
    odds = [math.exp((one + (turn if seat == 1 else 0.0)) / scale) for seat, one in enumerate(outlooks)]
    expected = found.chances([one / sum(raw) for one in raw], turn=1)
    assert [one / sum(odds) for one in odds] == pytest.approx(expected)


def test_minutes_are_those_of_the_box() -> None:
    """Some thirty turns of Druidenwalzer take 30 to 40 minutes, some 65 of Celtica 30 to 45: what the boxes and reviews say."""
    row = [0] * HEAD
    for game, turns, decisions, bits, box in ((GAME, 30, 34, 113, (30, 40)), ("celtica", 66, 250, 430, (30, 45))):
        row[TURNS], row[DECISIONS], row[BITS] = turns, decisions, bits
        assert box[0] <= minutes(things(find_game(game)).pace, row) <= box[1]
    assert things(find_game("daemonen")).pace == PACE


def test_fields_and_places_of_daemonen_are_counted() -> None:
    """Every field that is laid has its forests, and whatever is put somewhere lies by something or by nothing."""
    game: type[Game] = find_game("daemonen")
    table = LabTable(game, ["random", "random"])
    row = table.play(1)

    def used(name: str) -> int:
        at = HEAD + 4 + 2 * table.things.number(name)
        return row[at] + row[at + 1]

    assert sum(used(f"{count}-forest field") for count in range(7)) == used("lay") > 0
    put = sum(used(kind) for kind in ("demon", "anchor", "temple", "settle", "to", "stone"))
    by = [used(f"place by {what}") for what in ("the centre", "a portal", "a demon field")]
    assert max(by) <= put - used("open place") <= sum(by)
    assert min(*by, used("open place")) > 0
    held = LabTable(game, ["random without place by a portal", "random"])
    assert (
        held.play(1)[HEAD + 4 + 2 * held.things.number("place by a portal")] < row[HEAD + 4 + 2 * held.things.number("place by a portal")]
    )
