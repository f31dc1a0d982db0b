"""The catalogues: the same keys, placeholders and plural forms in every language, proper typography, and words for all that is said."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from drunemeton import locales, terminal
from drunemeton.bots import BOTS, LEVELS, SIMPLE, TAUGHT, level_names, strength_of
from drunemeton.locales import LANGUAGES, Wording, catalogue, plural_form, say, tell_event
from drunemeton.rules.errors import PROBLEMS
from drunemeton.rules.game import Game, find_game, playable

OTHERS = [language for language in LANGUAGES if language != "en"]
SOURCE = Path(locales.__file__).parent.parent
FRONTEND = SOURCE.parent.parent / "frontend" / "src"

# Names, and what looks the same in two languages and is right in both.
SEATS = ("word.ce.ulster", "word.ce.connacht", "word.ce.leinster", "word.ce.munster", "word.ce.meath")
NAMES = (*(f"bot.{find_game(name).script.prefix}." for name in playable()), "web.ce.name.", "web.game.", *SEATS)
ALIKE = {
    "de": {"web.preset.standard", "web.fairness", "web.speed.1", "web.key.tab", "web.key.escape"},
    "nl": {"gloss.ce.amulet", "web.key.tab", "web.key.enter", "web.key.escape", "word.dd.W"},
    "fr": {
        "gloss.dd.population",
        "gloss.dd.temple",
        "web.preset.standard",
        "term.options",
        "web.title.table",
        "web.key.tab",
        "web.speed.1",
        "word.dw.orange",
        "web.ce.kind.village",
        "word.ce.centre",
        "word.dd.temple",
    },
}
# Counts that are never 0, so that French may write out the number in its singular, which is the form for 0 too.
NEVER_ZERO = (
    "because.",
    "event.dw.",
    "reason.ce.",
    "web.dw.shows",
    "web.dw.ask.fill",
    "web.ce.ask.",
    "web.dd.ask.",
    "web.dd.ways",
    "web.dd.costs_trophies",
)
# Moves and typed values are written as the program reads them.
TYPED = (".unreadable", ".arrow_first", "web.setup.cards_hint")


def forms(entry: Wording) -> dict[str, str]:
    """The sentences of an entry by plural category; a plain entry has one, under `other`."""
    return {"other": entry} if isinstance(entry, str) else {form: text for form, text in entry.items() if form != "plural"}


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def sentences(language: str) -> Iterator[tuple[str, str]]:
    for key, entry in catalogue(language).items():
        for text in forms(entry).values():
            yield key, text


def test_all_four_languages_are_there() -> None:
    assert locales.available() == list(LANGUAGES) == ["en", "de", "nl", "fr"]


# --- The same in every language ------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", OTHERS)
def test_each_file_has_the_same_keys(language: str) -> None:
    files = {path.name for path in (locales.FOLDER / "en").glob("*.json")}
    assert {path.name for path in (locales.FOLDER / language).glob("*.json")} == files
    for name in files:
        english, other = (set(json.loads((locales.FOLDER / folder / name).read_text(encoding="utf-8"))) for folder in ("en", language))
        assert sorted(english - other) == [], f"missing in {language}/{name}"
        assert sorted(other - english) == [], f"unknown in {language}/{name}"


@pytest.mark.parametrize("language", OTHERS)
def test_placeholders_match(language: str) -> None:
    for key, entry in catalogue("en").items():
        other = catalogue(language)[key]
        assert isinstance(entry, dict) == isinstance(other, dict), key
        assert placeholders(forms(entry)["other"]) == placeholders(forms(other)["other"]), key
        if isinstance(entry, dict) and isinstance(other, dict):
            assert entry["plural"] == other["plural"], key


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_have_the_forms_of_the_language(language: str) -> None:
    """All four count by one and other; a singular may write its number out, but loses nothing else."""
    for key, entry in catalogue(language).items():
        if isinstance(entry, str):
            continue
        assert set(entry) == {"plural", "one", "other"}, key
        counted = entry["plural"]
        one, other = placeholders(entry["one"]), placeholders(entry["other"])
        assert one <= other, key
        # With one card there is nothing to say about how many of the cards are of which deck.
        assert other - one <= {counted, "experience"}, key
        if language == "fr" and not key.startswith(NEVER_ZERO):
            assert counted in one, f"{key}: the French singular also counts 0"


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_left_in_english(language: str) -> None:
    same = set()
    for key, entry in catalogue(language).items():
        wordless = not any(re.search(r"[^\W\d_]{2}", re.sub(r"\{\w+\}", "", text)) for text in forms(entry).values())
        if entry == catalogue("en")[key] and not wordless and not (key.startswith(NAMES) and not key.endswith((".facts", ".line"))):
            same.add(key)
    assert same == ALIKE[language]


@pytest.mark.parametrize("language", OTHERS)
def test_sentences_end_alike(language: str) -> None:
    """A full stop, a question mark, a colon at the end of the English sentence stands in the others too."""
    end = re.compile(r"[.?!:…]$|$")
    for key, entry in catalogue("en").items():
        wanted = {end.findall(text)[0] for text in forms(entry).values()}
        for text in forms(catalogue(language)[key]).values():
            assert set(end.findall(text)[:1]) <= wanted, f"{key}: {text!r}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_stands_twice(language: str) -> None:
    seen: set[str] = set()
    for path in sorted((locales.FOLDER / language).glob("*.json")):
        pairs = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=lambda pairs: [key for key, _ in pairs])
        keys = set(pairs)
        assert len(keys) == len(pairs), path.name
        assert not keys & seen, path.name
        seen |= keys


# --- Typography and address ----------------------------------------------------------------------------------------

SLIPS = {
    "a straight quotation mark or apostrophe": r"['\"`´]",
    "three dots instead of an ellipsis": r"\.\.\.",
    "two blanks, or one at the edge": r"[ \u00a0\u202f]{2}|^\s|\s$",
    "a hyphen as a dash or minus": r"\s-\s|(?<!\w)-\d",
}
SLIPS_OF = {
    "en": {"a blank before a mark": r"\s[;:!?%…](?! \{)", "a foreign quotation mark": r"[„«»]"},
    "nl": {"a blank before a mark": r"\s[;:!?%…](?! \{)", "a foreign quotation mark": r"[„«»]"},
    "de": {
        "an English quotation mark": r"”|[«»]",
        "a blank before a mark": r"\s[;!?]|\s:(?! \{)",
        "no fixed blank before an ellipsis or per cent": r"(?<!\u00a0)[…%]",
    },
    "fr": {
        "no narrow blank before a mark": r"(?<!\u202f)[;:!?%»]",
        "no narrow blank after a guillemet": r"«(?!\u202f)",
        "a blank before an ellipsis": r"\s…",
        "a foreign quotation mark": r"[„“”]",
        "a missing ligature": r"\b(oeuvre|coeur|oeil|voeu)",
    },
}
# The reader is spoken to as a friend in German and Dutch, as games do, and politely in French, as in its rulebook.
POLITE = r"\b(Ihnen|Ihre[mnrs]?)\b|\w (Sie|Ihr)\b"
ADDRESS = {
    "nl": r"\b([Uu]|[Uu]w|[Uu]zelf)\b",
    "fr": r"\b([Tt]u|[Tt]oi|[Tt]es|[Tt]on|[Tt]a)\b",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_typography(language: str) -> None:
    for key, text in sentences(language):
        if key.endswith(TYPED):
            continue
        for slip, pattern in (SLIPS | SLIPS_OF[language]).items():
            assert not re.search(pattern, text), f"{key}: {slip}: {text!r}"


@pytest.mark.parametrize("language", ADDRESS)
def test_the_reader_is_always_addressed_in_the_same_way(language: str) -> None:
    assert [(key, text) for key, text in sentences(language) if re.search(ADDRESS[language], text)] == []


def test_german_says_du() -> None:
    assert [(key, text) for key, text in sentences("de") if re.search(POLITE, text)] == []


# --- Words for everything, and none too many -----------------------------------------------------------------------


def games() -> list[type[Game]]:
    return [find_game(name) for name in playable()]


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_every_event_has_words_and_every_line_its_event(game: type[Game]) -> None:
    kinds = {"shuffled", *(line[0] for line in game.script.lines.values())}
    start = f"event.{game.script.prefix}."
    told = {key.removeprefix(start).split(".")[0] for key in catalogue("en") if key.startswith(start)}
    assert told == kinds


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_every_reason_of_a_game_has_words(game: type[Game]) -> None:
    codes = set()
    for path in (SOURCE / "rules" / game.name).glob("*.py"):
        codes |= set(re.findall(rf'"({game.script.prefix}\.[a-z_]+)"', path.read_text(encoding="utf-8")))
    assert codes
    start = f"reason.{game.script.prefix}."
    wrong = {f"{game.script.prefix}.{code}" for code in game.problems}  # with options and components, in words below
    assert {key.removeprefix("reason.") for key in catalogue("en") if key.startswith(start)} | wrong == codes


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_every_reason_beside_an_event_has_words(game: type[Game]) -> None:
    path = SOURCE / "rules" / game.name / "reasons.py"
    start = f"because.{game.script.prefix}."
    worded = {key.removeprefix(start) for key in catalogue("en") if key.startswith(start)}
    assert bool(worded) == path.exists()
    text = path.read_text(encoding="utf-8") if worded else ""
    # Some codes are put together, such as at_village: what is written out must be there, and what is there must fit what is written.
    written = set(re.findall(r'say\(at, "([a-z_]+)"| "([a-z_]+)"[,})]| "([a-z_]+)" (?:if|else)|else "([a-z_]+)"', text))
    codes = {code for found in written for code in found if (code and "_" in code) or code in worded}
    made = [re.compile(re.sub(r"\{[^}]*\}", "[a-z]+", pattern)) for pattern in re.findall(r'f"([a-z_{}\[\]\']+)"', text)]
    assert codes <= worded
    assert sorted(code for code in worded if code not in codes and not any(one.fullmatch(code) for one in made)) == []


def refusals() -> Iterator[str]:
    """Every code that is written out in a `Refused(...)` or `Reason(...)`, also where one of two is chosen."""
    for path in SOURCE.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in {"Refused", "Reason"} and call.args:
                ways: list[ast.expr] = [call.args[0]]
                while ways:
                    way = ways.pop()
                    if isinstance(way, ast.IfExp):
                        ways += [way.body, way.orelse]
                    elif isinstance(way, ast.Constant):
                        yield str(way.value)


def test_every_refusal_of_a_table_has_words() -> None:
    raised = {code for code in refusals() if "." not in code}
    assert {"over", "no_seat", "person_plays"} <= raised
    worded = {key.removeprefix("reason.") for key in catalogue("en") if key.startswith("reason.") and key.count(".") == 1}
    assert worded == raised | {"unknown"}


def test_everything_that_can_be_wrong_with_an_entry_has_words_with_what_it_is_about() -> None:
    assert {key.removeprefix("problem.") for key in catalogue("en") if key.startswith("problem.")} == set(PROBLEMS)
    for code, problem in PROBLEMS.items():
        given = set(re.findall(r"\{(\w+)(?:!r)?\}", problem))
        assert placeholders(forms(catalogue("en")[f"problem.{code}"])["other"]) <= given, code


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_every_word_of_a_game_is_one_that_its_code_knows(game: type[Game]) -> None:
    known = set()
    for path in [
        *(SOURCE / "rules" / game.name).rglob("*.py"),
        *(FRONTEND / "games" / game.name).glob("*.ts"),
        *(SOURCE / "rules" / game.name).rglob("*.toml"),
    ]:
        known |= set(re.findall(r"[A-Za-z_]+(?:\.\d+)?", path.read_text(encoding="utf-8")))
    start = f"word.{game.script.prefix}."
    words = {key.removeprefix(start) for key in catalogue("en") if key.startswith(start)}
    assert set(game.seat_names) <= words
    assert sorted(words - known) == []


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_every_option_and_every_reconstructed_fact_has_words(game: type[Game]) -> None:
    options = set()
    for option in game.described:
        options |= {
            f"web.option.{game.name}.{option.name}",
            *(f"web.option.{game.name}.{option.name}.{choice}" for choice in option.choices),
        }
    assert {key for key in catalogue("en") if key.startswith(f"web.option.{game.name}.")} == options
    guessed = {entry for entry, fact in game.provenance().items() if fact["status"] != "sourced"}
    assert {key for key in catalogue("en") if key.startswith(f"web.fact.{game.name}.")} == {
        f"web.fact.{game.name}.{entry}" for entry in guessed
    }
    assert sorted(entry for entry in guessed if f"word.{game.script.prefix}.{entry}" not in catalogue("en")) == []


def test_what_the_terminal_says() -> None:
    named = set(
        re.findall(r'"(?:term\.)?([a-z_]+)"', "".join(path.read_text(encoding="utf-8") for path in (SOURCE / "terminal").glob("*.py")))
    )
    said = {key.removeprefix("term.").removeprefix("help.") for key in catalogue("en") if key.startswith("term.")}
    assert said <= named
    assert set(terminal.HELP.values()) == {key.removeprefix("term.help.") for key in catalogue("en") if key.startswith("term.help.")}


def test_every_bot_has_a_name() -> None:
    assert {key.removeprefix("web.bot.") for key in catalogue("en") if key.startswith("web.bot.")} == set(SIMPLE)
    levels = {f"bot.{find_game(name).script.prefix}.{level}" for name in playable() for level in level_names(find_game(name))}
    tempers = {f"bot.temper.{bot}" for bot in BOTS} | {f"bot.punishes.{level}" for level in (*LEVELS, TAUGHT)}
    slips = {f"bot.{find_game(name).script.prefix}.slips" for name in playable()}
    others = {"bot.level", "bot.elo", "bot.unmeasured", "bot.next", "bot.next.play"}
    assert {key for key in catalogue("en") if key.startswith("bot.")} == levels | tempers | slips | others


def test_a_level_punishes_as_many_slips_as_is_said_of_it() -> None:
    """A slip is punished by a move that is not overlooked."""
    said = {"one slip in five": 1 / 5, "one slip in three": 1 / 3, "every other slip": 1 / 2, "two slips in three": 2 / 3}
    said |= {"four slips in five": 4 / 5, "nine slips in ten": 9 / 10, "hardly misses": 0.97, "misses nothing": 1}
    for level, share in zip(LEVELS, said.items(), strict=True):
        assert share[0] in str(catalogue("en")[f"bot.punishes.{level}"])
        for name in playable():
            if not strength_of(find_game(name), LEVELS[0]).overlook:
                continue  # its levels differ in something else
            assert abs(1 - strength_of(find_game(name), level).overlook / 1000 - share[1]) <= 0.08, (name, level)


def test_what_the_page_says_is_in_the_catalogue_and_nothing_else_is() -> None:
    """Keys that the page writes out must exist; those that it puts together must fit a pattern that it uses."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in [*FRONTEND.rglob("*.svelte"), *FRONTEND.rglob("*.ts")])
    written = set(re.findall(r"['`](web\.[\w.-]*\w)['`]", text))
    assert sorted(key for key in written if key not in catalogue("en")) == []
    part_of_key = rf"(({'|'.join(game.script.prefix for game in games())})\.)?[\w-]+(\.\d+)?"
    patterns = [
        re.compile("".join(part_of_key if part.startswith("${") else re.escape(part) for part in re.split(r"(\$\{[^}]*\})", made)))
        for made in set(re.findall(r"`(web\.[^`]*\$\{[^`]*)`", text))
    ]
    unused = [
        key
        for key in catalogue("en")
        if key.startswith("web.") and key not in written and not any(pattern.fullmatch(key) for pattern in patterns)
    ]
    assert unused == []


# --- How the words are put together --------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "singular"), [("en", [1]), ("de", [1]), ("nl", [1]), ("fr", [0, 1])])
def test_counts_fall_into_their_categories(language: str, singular: list[int]) -> None:
    assert [count for count in range(12) if plural_form(language, count) == "one"] == singular
    assert plural_form(language, "?") == "other"


def test_counts_take_their_plural_form() -> None:
    assert say("en", "event.dw.token", tree="M1", tokens=1) == "M1 receives a token, its first."
    assert say("en", "event.dw.token", tree="M1", tokens=3) == "M1 receives a token and now bears 3."
    assert say("de", "event.dw.token", tree="M1", tokens=1) == "M1 erhält sein erstes Kultzeichen."
    assert say("nl", "event.dw.token", tree="M1", tokens=1) == "M1 krijgt zijn eerste cultusteken."
    assert say("fr", "event.dd.scored", seat="red", points=0) == "Rouge a maintenant 0 point."
    assert say("nl", "event.dd.scored", seat="red", points=0) == "Rood heeft nu 0 punten."


def test_words_of_the_game_are_translated_within_sentences() -> None:
    event = {"kind": "passed", "seat": "moon"}
    assert tell_event("en", "dw", event) == "Moon can do nothing and passes."
    assert tell_event("de", "dw", event) == "Mond kann nichts tun und setzt aus."
    assert tell_event("nl", "dw", event) == "Maan kan niets doen en past."
    assert tell_event("fr", "dw", event) == "Lune ne peut rien faire et passe."


def test_a_kind_of_event_has_a_sentence_for_each_of_its_words() -> None:
    event = {"kind": "dealt", "seat": "ulster", "deck": "experience", "card": "red"}
    assert tell_event("de", "ce", event) == "Ulster zieht eine Erfahrungskarte: Rot."
    assert tell_event("de", "ce", {**event, "card": None}) == "Ulster zieht eine Erfahrungskarte."
    ends = {tell_event("en", "ce", {"kind": "play_ended", "how": how, "last": "ulster"}) for how in ("goal", "all_home", "parts")}
    assert len(ends - {None}) == 3


def test_a_hidden_card_is_told_without_the_card() -> None:
    event = {"kind": "drawn", "seat": "sun", "place": 2, "card": None}
    assert tell_event("en", "dw", event) == "Sun draws a card (place 2)."
    assert tell_event("en", "dw", {**event, "card": "s5<"}) == "Sun draws s5< (place 2)."


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_coach_needs_no_more_than_two_lines_of_a_phone(language: str) -> None:
    """The room that is kept for him: more would lie over the board."""
    assert not [(key, text) for key, text in sentences(language) if key.startswith("coach.") and len(text) > 98]
