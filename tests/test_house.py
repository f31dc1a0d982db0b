"""The house: a room imports only from rooms to its left, and every file of the project says nothing it should not."""

from __future__ import annotations

import ast
import json
import re
import runpy
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from drunemeton.rules.errors import PROBLEMS
from drunemeton.rules.game import find_game, playable

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "drunemeton"
FRONTEND = ROOT / "frontend" / "src"

MAY_IMPORT: dict[str, set[str]] = {
    "rules": set(),
    "locales": set(),
    "records": {"rules"},
    "observations": {"rules"},
    "bots": {"rules", "records", "observations"},
    "appraisal": {"rules", "records", "observations", "bots"},
    "puzzles": {"rules", "observations", "bots", "appraisal"},
    "lessons": {"rules", "bots", "locales"},
    "envs": {"rules", "bots", "observations", "locales"},
    "lab": {"rules", "records", "bots", "observations", "appraisal"},
    "training": {"rules", "bots", "observations", "envs"},
    "terminal": {"rules", "records", "bots", "appraisal", "locales", "client"},
    "table": {"rules", "records", "bots", "lessons"},
    "store": {"rules", "records", "bots", "table"},
    "server": {"rules", "records", "bots", "appraisal", "puzzles", "lessons", "lab", "table", "store", "locales", "client"},
    "client": {"rules", "locales"},
    "local": {"rules", "records", "bots", "client"},
}


def rooms_imported(path: Path) -> set[str]:
    """The rooms that a file imports, at its top or anywhere within."""
    package = path.relative_to(SOURCE).parent.parts
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            if node.level:
                base = package[: len(package) - node.level + 1]
                names = [(*base, *(node.module or "").split("."), alias.name) for alias in node.names]
            elif (node.module or "").startswith("drunemeton"):
                names = [(*(node.module or "").split(".")[1:], alias.name) for alias in node.names]
            else:
                continue
            rooms |= {next(part for part in name if part) for name in names}
        elif isinstance(node, ast.Import):
            rooms |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("drunemeton.")}
    return rooms


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_room_imports_only_from_rooms_to_its_left(path: Path) -> None:
    room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    if room in ("cli", "__init__"):
        return
    outside = rooms_imported(path) - {room} - {"__version__"}
    assert outside <= MAY_IMPORT[room], f"{room} must not import {outside - MAY_IMPORT[room]}"


def test_the_architecture_names_every_room() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = {path.name for path in SOURCE.iterdir() if path.name not in {"__init__.py", "__pycache__", "py.typed", "docs"}}
    assert sorted(room for room in rooms if not re.search(rf"`{re.escape(room)}[/`]", text)) == []
    # The rules' own files too, which everybody reads first; and no file is named that is not there.
    rules = [path.name for path in (SOURCE / "rules").glob("*.py") if path.name != "__init__.py"]
    assert sorted(name for name in rules if f"{name}`" not in text) == []
    table = text[text.index("| room | what it is |") : text.index("## Five ways")]
    there = {path.name for path in SOURCE.rglob("*.py")}
    assert sorted(name for name in re.findall(r"`(?:[\w/]+/)?(\w+\.py)`", table) if name not in there) == []
    assert "shared/" not in text


def test_the_ways_through_the_house_lead_through_what_is_there() -> None:
    """Of a move, a simulated game, an observation, a shuffle and a bot's move."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    ways = re.search(r"## Five ways through the house\n```\n(.*?)```", text, re.DOTALL)
    assert ways
    assert len(ways[1].splitlines()) == 5
    named = re.findall(r"\w+/\w+", ways[1])
    assert len(named) >= 5
    assert [name for name in named if not (SOURCE / f"{name}.py").is_file()] == []


def test_the_page_on_the_front_end_names_what_lies_there() -> None:
    text = (ROOT / "docs" / "frontend.md").read_text(encoding="utf-8")
    there = [f"{path.name}/" if path.is_dir() else path.name for path in FRONTEND.iterdir() if path.name != "virtual.d.ts"]
    assert sorted(name for name in there if f"`{name}" not in text) == []


def test_the_reference_is_made_from_docstrings() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_reference.py"))["reference"]()
    assert (ROOT / "docs" / "api.md").read_text(encoding="utf-8") == made, "`make docs` writes it"
    entries = re.findall(r"^- \*\*`(\w+).*`\*\* ?(.*)$", made, re.MULTILINE)
    assert {"Game", "Client", "Table", "simulate", "analyse", "verify"} <= {name for name, _ in entries}
    assert [name for name, said in entries if not said] == []


SKELETON = ("index", "table", "view", "layout", "scene", "interact", "speech", "notation", "recap", "keyboard", "whynot")


def test_the_games_folders_have_the_same_skeleton() -> None:
    """A game whose table is the plain one brings no more than its face."""
    text = (ROOT / "docs" / "frontend.md").read_text(encoding="utf-8")
    assert [name for name in SKELETON if not re.search(rf"`{name}(\.ts)?`", text)] == []
    for name in playable():
        folder = FRONTEND / "games" / name
        if "plainTable" in (folder / "table.ts").read_text(encoding="utf-8"):
            continue
        there = {path.name.partition(".")[0] for path in folder.glob("*.ts")}
        assert set(SKELETON) <= there, name
        assert {"Board.svelte", "Hand.svelte", "Chip.svelte", "Vignette.svelte"} <= {path.name for path in folder.glob("*.svelte")}, name


RULES_TESTS = {"__init__", "games", "golden", "test_agreement", "test_invariants", "test_knowledge", "test_notation", "test_rules"}


def test_the_rules_of_all_games_are_tested_in_the_same_files() -> None:
    """A game that has golden games has them all; only one that has none yet may bring less."""
    folders = [ROOT / "tests" / "rules" / name for name in playable()]
    whole = [folder for folder in folders if (folder / "golden.py").is_file()]
    assert len(whole) >= 3
    assert [(folder.name, sorted(RULES_TESTS - {path.stem for path in folder.glob("*.py")})) for folder in whole] == [
        (folder.name, []) for folder in whole
    ]


# Words of the games that stand for nothing else; their classes are named like their folders.
NAMED = re.compile("|".join(playable()), re.IGNORECASE)


def owner_of(path: Path) -> str | None:
    """The game whose place this is, if it is one's."""
    parts = [part.partition(".")[0] for part in path.relative_to(ROOT).parts]
    return next((name for name in playable() if any(part == name or part.startswith(f"{name}_") for part in parts)), None)


def code_of(path: Path) -> str:
    """A Python file without its comments and documentation, which may give examples."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            body[:] = [part for part in body if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))] or [ast.Pass()]
    return ast.unparse(tree)


def test_no_room_names_a_game() -> None:
    """A game is its own places: elsewhere nobody knows which games there are, and a game knows no other."""
    checked = 0
    # What the benches ask of single games is data, in one file.
    benches = {*(ROOT / "benchmarks").glob("*.py")} - {ROOT / "benchmarks" / "bars.py"}
    for path in sorted((*SOURCE.rglob("*.py"), *benches, *ROOT.glob("*.py"), *(ROOT / "docs").glob("*.py"))):
        owner = owner_of(path)
        assert {name.lower() for name in NAMED.findall(code_of(path))} <= {owner}, path
        checked += owner is None
    front = FRONTEND.parent
    pages = (*FRONTEND.rglob("*.ts"), *FRONTEND.rglob("*.svelte"), *FRONTEND.rglob("*.css"), *front.glob("*.js"), *front.glob("*.html"))
    others = (*(front / "offline").iterdir(), *(front / "public").glob("*.webmanifest"))
    for path in sorted((*pages, *others)):
        owner = owner_of(path)
        assert {name.lower() for name in NAMED.findall(path.read_text(encoding="utf-8"))} <= {owner}, path
        checked += owner is None
    assert checked > 100


WORDS = ("web", "lessons", "teaching", "glossary", "lab")


OF_ONE_GAME = re.compile(r"lab\.(entry|thing|step)\.")  # entries of components, what actions use


def test_a_game_has_its_words_to_itself() -> None:
    prefixes = {find_game(name).script.prefix: name for name in playable()}
    for path in sorted((SOURCE / "locales").rglob("*.json")):
        owner = next(
            (name for name in playable() if path.stem == name or path.stem in (f"{room}_{name}" for room in WORDS)),
            None,
        )
        for key in json.loads(path.read_text(encoding="utf-8")):
            about = {prefixes.get(part, part) for part in re.split(r"[._]", key)} & set(playable())
            assert owner or not OF_ONE_GAME.match(key), f"{path}: {key} is of a game"
            assert about <= {owner}, f"{path}: {key}"
            assert owner is None or about, f"{path}: {key} is not about {owner}"


def raised(path: Path) -> set[str]:
    """What a file finds wrong with options and components."""
    calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    known = [
        call.args[1]
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id in ("BadOption", "BadComponents") and call.args[1:]
    ]
    return {code.value for code in known if isinstance(code, ast.Constant) and isinstance(code.value, str)}


def test_a_game_has_what_can_be_wrong_with_it_to_itself() -> None:
    """What is common to all is found by a room, or by several games."""
    found = {path: raised(path) for path in sorted(SOURCE.rglob("*.py"))}
    by_rooms = set().union(*(codes for path, codes in found.items() if owner_of(path) is None))
    by_games = [set().union(*(codes for path, codes in found.items() if owner_of(path) == name)) for name in playable()]
    common = {code.removesuffix("_one") for code in PROBLEMS if "." not in code}
    assert {code for code in common - by_rooms if sum(code in codes for codes in by_games) < 2} == set()
    for name in playable():
        game = find_game(name)
        assert {code.rpartition(".")[0] for code in set(PROBLEMS) if code.rpartition(".")[2] in game.problems} <= {game.script.prefix}


ONE_MEANING = (
    "Line",
    "Entry",
    "Row",
    "Field",
    "Terminal",
    "TooLong",
    "mark_of",
    "ponder",
    "Account",
    "Told",
    "Closed",
    "Schema",
    "InRegistry",
    "Verdict",
    "Played",
    "Watched",
    "Rows",
    "Run",
    "Dealt",
    "Table",
    "Position",
    "Taken",
    "Job",
    "Question",
    "Waiting",
)


def test_a_name_has_one_meaning() -> None:
    """Whatever once meant several things is defined in one file, but for what every game defines for itself."""
    found: dict[str, list[str]] = {name: [] for name in ONE_MEANING}
    for path in sorted(SOURCE.rglob("*.py")):
        if owner_of(path) is None:
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                names = [target.id for target in getattr(node, "targets", []) if isinstance(target, ast.Name)]
                for name in {getattr(node, "name", None), *names} & set(found):
                    found[str(name)].append(str(path))
    for path in sorted((*FRONTEND.rglob("*.ts"), *FRONTEND.rglob("*.svelte"))):
        if owner_of(path) is None:
            declared = re.findall(r"^\s*(?:export )?(?:interface|type|class) (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
            for name in {*declared, path.stem} & set(found) - {
                "Account",
                "Told",
                "Table",
                "Played",
                "Question",
            }:  # components of the page, lines of its story
                found[name].append(str(path))
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}


LONG_FILE, LONG_FUNCTION = 500, 60


def test_what_is_long_says_why() -> None:
    """In its first comment or its docstring: "long because"."""
    silent = []
    houses = [path for room in ("benchmarks", "tests") for path in (ROOT / room).rglob("*.py")]
    for path in sorted((*SOURCE.rglob("*.py"), *houses)):
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        if len(text.splitlines()) > LONG_FILE and "long because" not in " ".join((ast.get_docstring(tree) or "").lower().split()):
            silent.append(str(path))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (node.end_lineno or 0) - node.lineno >= LONG_FUNCTION:
                if "long because" not in " ".join((ast.get_docstring(node) or "").lower().split()):
                    silent.append(f"{path} {node.name}")
    for path in sorted((*FRONTEND.rglob("*.ts"), *FRONTEND.rglob("*.svelte"), *FRONTEND.rglob("*.css"))):
        text = path.read_text(encoding="utf-8")
        first = text[: text.find("*/")]
        if len(text.splitlines()) > LONG_FILE and "long because" not in first and "Made by" not in first:
            silent.append(str(path))
    assert silent == []


LONG_LINE = 140
DRAWN = re.compile(r"""[\w=:'" ]*['"]M[-\d. A-Za-z]+['"],?""")  # the outline of a drawing


def test_no_line_of_the_page_is_too_long() -> None:
    """But for the outlines of drawings, which nobody reads, and what is made from the protocol."""
    front = FRONTEND.parent
    files = [*front.glob("*.*"), *(path for room in ("src", "tests", "offline") for path in (front / room).rglob("*"))]
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted(files)
        if path.suffix in {".ts", ".js", ".svelte", ".css", ".html"} and path.name != "protocol.ts"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONG_LINE and not DRAWN.fullmatch(line.strip())
    ]
    assert found == []


def test_what_the_page_names_is_there_and_used() -> None:
    """Pieces that are fetched together, names that are exported, colours and measures that styles share; types are not closed an eye to."""
    texts = {path: path.read_text(encoding="utf-8") for path in FRONTEND.rglob("*") if path.suffix in {".ts", ".svelte", ".css"}}
    chunks = re.findall(r"/frontend/src/(lib|parts)/\((.*?)\)", (FRONTEND.parent / "vite.config.js").read_text(encoding="utf-8"))
    pieces = [f"{room}/{name}" for room, names in chunks for name in names.split("|")]
    assert len(pieces) > 20
    assert [piece for piece in pieces if not any(FRONTEND.glob(f"{piece}.*"))] == []
    whole = Counter(re.findall(r"[\w-]+", "\n".join(texts.values())))
    ours = {path: text for path, text in texts.items() if path.name != "protocol.ts"}
    exported = {name for text in ours.values() for name in re.findall(r"^\s*export (?:async )?[a-z]+ (\w+)", text, re.MULTILINE)}
    assert sorted(name for name in exported - {"plainTable"} if whole[name] == 1) == []  # a game without drawings asks for that one
    shared = {name for text in texts.values() for name in re.findall(r"^\s*(--[\w-]+):", text, re.MULTILINE)}
    assert len(shared) > 20
    assert sorted(name for name in shared if whole[name] == 1) == []
    assert [str(path) for path, text in texts.items() if re.search(r"as unknown as|@ts-(ignore|expect-error|nocheck)", text)] == []


def test_no_registry_address_and_no_lock_of_uv_is_committed() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    assert "uv.lock" not in tracked
    for name in tracked:
        if name.endswith((".lock", "package-lock.json", ".npmrc", "constraints.txt", "pyproject.toml", "Makefile")):
            hosts = set(re.findall(r"https?://([^/\" ]+)", (ROOT / name).read_text(encoding="utf-8")))
            assert not {host for host in hosts if "registry" in host or "pypi" in host or "npm" in host}, name


SELECTED = re.compile(r"(?:locator|wait_for_selector|get_attribute|inner_text|querySelector(?:All)?|closest|matches)\(\s*f?([\"'`])(.*?)\1")


def test_browser_tests_find_nothing_by_its_style() -> None:
    """A class is how a thing looks; what it is says its role or a `data-` attribute."""
    by_class = [
        f"{path.name}: {wanted}"
        for path in sorted((ROOT / "tests/browser").glob("*.py"))
        for _, wanted in SELECTED.findall(path.read_text())
        if re.search(r"(^|[^\d.])\.[a-z]", re.sub(r"\{.*?\}|'.*?'|\".*?\"", "x", wanted))
    ]
    assert by_class == []


WORDED = re.compile(r"""get_by_(?:text|label|placeholder|title|alt_text)\(|\bhas_text=|:has-text|["']text=|get_by_role\([^)]*name=""")


def test_browser_tests_find_nothing_by_its_words() -> None:
    """Words are for people, in four languages; a test may ask what something says once it has found it."""
    by_words = [
        f"{path.name}: {found}" for path in sorted((ROOT / "tests/browser").glob("*.py")) for found in WORDED.findall(path.read_text())
    ]
    assert by_words == []
