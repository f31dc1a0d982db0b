"""`python -m drunemeton.server.protocol_page`: writes what is made from the protocol's one description into a checkout.

`frontend/src/lib/protocol.ts`, and the tables of `docs/protocol.md` between their marks. A test fails while either is not what this makes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi.routing import APIRoute
from pydantic import BaseModel

from ..rules.game import find_game
from . import protocol
from .app import create_app
from .closings import CLOSINGS
from .protocol import CLIENT_MESSAGES, SERVER_MESSAGES
from .schemas import Schema, game_schemas, json_schema, shapes

ROOT = Path(__file__).parents[3]
TYPES = ROOT / "frontend" / "src" / "lib" / "protocol.ts"
PAGE = ROOT / "docs" / "protocol.md"
GAMES_PAGE = ROOT / "docs" / "games.md"
GAMES_HEAD = """
What the [protocol](protocol.md) leaves to each game: the fields of its view, and the kinds of its events with their parameters. Made from
the rules' own declarations by `python -m drunemeton.server.protocol_page`; as JSON Schema under `GET /api/schema`. `?` in a card's place is
one that the watcher may not see; a field that is null in an event was not told to him.
"""
WIDTH = 140  # of a line, as the front end's formatter has it


# --- TypeScript


def type_of(schema: Schema) -> str:
    """A value's type."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return f"'{schema['const']}'"
    if "enum" in schema:
        return " | ".join(f"'{one}'" for one in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(type_of(one) for one in schema["anyOf"])
    if schema.get("type") == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(type_of(one) for one in schema['prefixItems'])}]"
        inner = type_of(schema.get("items", {}))
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {type_of(values) if isinstance(values, dict) else 'unknown'}>"
    return {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}.get(
        schema.get("type", ""), "unknown"
    )


def _interface(model: type[BaseModel], schema: Schema) -> list[str]:
    bases = [base for base in model.__bases__ if isinstance(base, type) and issubclass(base, BaseModel) and base.model_fields]
    inherited = {name for base in bases for name in base.model_fields}
    needed = set(schema.get("required", ()))
    lines = [f"/** {_sentence(model)} */", f"export interface {model.__name__}{_extends(bases)} {{"]
    for name, part in schema["properties"].items():
        if name in inherited:
            continue
        if "description" in part:
            lines.append(f"  /** {part['description'][0].upper()}{part['description'][1:]}. */")
        lines += _union(f"  {name}{'' if name in needed else '?'}:", type_of(part).split(" | "), "    ")
    if model.model_config.get("extra") == "allow":
        lines.append("  [param: string]: unknown")
    return [*lines, "}", ""]


def _extends(bases: list[Any]) -> str:
    return f" extends {', '.join(base.__name__ for base in bases)}" if bases else ""


def _union(head: str, choices: list[str], indent: str) -> list[str]:
    """A type on one line, or as the front end's formatter breaks it."""
    whole = " | ".join(choices)
    if len(head) + 1 + len(whole) <= WIDTH:
        return [f"{head} {whole}"]
    if len(indent) + len(whole) <= WIDTH and head.endswith("="):
        return [head, f"{indent}{whole}"]
    return [head, *(f"{indent}| {one}" for one in choices)]


def typescript() -> str:
    """The whole protocol as types."""
    lines = ["/** The messages of docs/protocol.md, as types. Made by `python -m drunemeton.server.protocol_page`: do not edit. */", ""]
    lines += [
        "/** A server that says another number wants the page to be loaded anew. */",
        f"export const PROTOCOL = {protocol.PROTOCOL}",
        "",
    ]
    lines += ["/** What a watcher is shown of a game: each game has its own. */", "export type View = Record<string, unknown>", ""]
    defined = json_schema()["$defs"]
    for model in shapes():
        lines += _interface(model, defined[model.__name__])
    for name, models in (("ClientMessage", CLIENT_MESSAGES), ("ServerMessage", SERVER_MESSAGES)):
        lines += _union(f"export type {name} =", [model.__name__ for model in models], "  ")
        lines.append("")
    return "\n".join(lines)


# --- The page


def _sentence(model: type[BaseModel]) -> str:
    return " ".join((model.__doc__ or "").split())


def _fields(model: type[BaseModel], schema: Schema) -> str:
    """A shape's fields in a cell of a table."""
    needed = set(schema.get("required", ()))
    is_state = issubclass(model, protocol.StateFields) and model is not protocol.StateFields
    told = []
    for name, part in schema["properties"].items():
        if name == "type" or (name in protocol.StateFields.model_fields and is_state):
            continue
        kind = type_of(part).replace("|", "\\|")
        said = f": {part['description']}" if "description" in part else ""
        told.append(f"`{name}`{'' if name in needed else '?'} *{kind}*{said}")
    if is_state:
        told.append("and all of `StateFields`")
    return "; ".join(told)


def _messages(models: tuple[type[Any], ...]) -> str:
    defined = json_schema()["$defs"]
    paid = models is CLIENT_MESSAGES
    lines = ["| type | what | fields |" + (" cost |" if paid else ""), "|---|---|---|" + ("---|" if paid else "")]
    for model in models:
        schema = defined[model.__name__]
        line = f"| `{schema['properties']['type']['const']}` | {_sentence(model)} | {_fields(model, schema)} |"
        lines.append(line + (f" {model.cost} |" if paid else ""))
    return "\n".join(lines)


def _shapes() -> str:
    defined = json_schema()["$defs"]
    messages = {*CLIENT_MESSAGES, *SERVER_MESSAGES}
    lines = ["| shape | what | fields |", "|---|---|---|"]
    for model in shapes():
        if model not in messages:
            lines.append(f"| `{model.__name__}` | {_sentence(model)} | {_fields(model, defined[model.__name__])} |")
    return "\n".join(lines)


def _requests() -> str:
    paths = create_app().openapi()["paths"]
    lines = ["| method and path | what | body | answer |", "|---|---|---|---|"]
    for path, ways in paths.items():
        for method, told in ways.items():
            query = "".join(f"?{one['name']}=" for one in told.get("parameters", []) if one["in"] == "query")
            what = " ".join(told["description"].split())
            lines.append(
                f"| `{method.upper()} {path}{query}` | {what} | {_body(told.get('requestBody'))} | {_body(told['responses']['200'])} |"
            )
    return "\n".join(lines)


def _body(told: Schema | None) -> str:
    if told is None or "content" not in told:
        return ""
    kind, held = next(iter(told["content"].items()))
    return f"`{type_of(held['schema'])}`".replace("|", "\\|") if "json" in kind else kind


def _closings() -> str:
    lines = ["| code | why | coming back is worth a try |", "|---|---|---|"]
    lines += [f"| `{name}` | {one.sentence} | {'yes' if one.again else ''} |" for name, one in CLOSINGS.items()]
    return "\n".join(lines)


def page(text: str) -> str:
    """The page with its tables made anew."""
    tables = {
        "requests": _requests(),
        "client": _messages(CLIENT_MESSAGES),
        "server": _messages(SERVER_MESSAGES),
        "closings": _closings(),
        "shapes": _shapes(),
    }
    for name, table in tables.items():
        head, begin, rest = text.partition(f"<!-- made: {name} -->\n")
        _, end, tail = rest.partition("<!-- end -->")
        assert begin, f"docs/protocol.md has no place for {name}"
        text = f"{head}{begin}{table}\n{end}{tail}"
    return text


def undescribed() -> list[str]:
    """Routes that say nothing about themselves."""
    return [
        route.path for route in create_app().routes if isinstance(route, APIRoute) and route.include_in_schema and not route.description
    ]


# --- What each game adds


def games_page() -> str:
    """Every game's view and events as a page."""
    lines = ["# Views and events of the games", GAMES_HEAD]
    for name, schemas in game_schemas().items():
        lines += [f"## {find_game(name).title}", "", "| shape | what | fields |", "|---|---|---|"]
        for shape, schema in schemas["view"]["$defs"].items():
            is_whole = " (the whole view)" if schemas["view"]["$ref"].endswith(f"/{shape}") else ""
            lines.append(f"| `{shape}`{is_whole} | {schema['description']} | {_listed(schema)} |")
        lines += ["", "| event | rule | fields |", "|---|---|---|"]
        for event in schemas["events"]:
            parts = event["properties"]
            rule = parts.get("rule", {}).get("const", "by what happened" if "rule" in parts else "")
            own = {field: part for field, part in parts.items() if field not in {"kind", "rule"}}
            lines.append(f"| `{parts['kind']['const']}` | {rule} | {_listed(event | {'properties': own})} |")
        lines.append("")
    return "\n".join(lines)


def _listed(schema: Schema) -> str:
    needed = set(schema["required"])
    parts = schema["properties"].items()
    return "; ".join(f"`{name}`{'' if name in needed else '?'} *{type_of(part)}*".replace("|", "\\|") for name, part in parts)


def main() -> None:
    """Write all files."""
    GAMES_PAGE.write_text(games_page(), encoding="utf-8")
    TYPES.write_text(typescript(), encoding="utf-8")
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
