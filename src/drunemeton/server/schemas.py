"""The protocol as JSON Schema: its shapes, and of each game its view, from the types in its `view.py`, and its events, from its script."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from ..rules.game import Game, find_game, playable
from ..rules.story import EventForm
from . import http_bodies, protocol

Schema = dict[str, Any]

PLAIN: dict[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    Any: {},
}
PROBED = range(-1, 64)  # the values with which an event's fields are asked what they read like
MOST_NAMED = 12  # so many different texts are listed one by one


def shapes() -> list[type[BaseModel]]:
    """All shapes of the protocol, in the order in which they are described."""
    found = [*vars(protocol).values(), *vars(http_bodies).values()]
    models = [one for one in found if isinstance(one, type) and issubclass(one, BaseModel) and one.model_fields]
    return list(dict.fromkeys(models))


def json_schema() -> Schema:
    """The whole protocol as JSON Schema: a definition for each shape."""
    _, whole = models_json_schema([(one, "serialization") for one in shapes()], ref_template="#/$defs/{model}")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Drunemeton", **whole}


def view_schema(game: type[Game]) -> Schema:
    """What a watcher of a game is shown."""
    defined: dict[str, Schema] = {}
    whole = _schema(typing.get_type_hints(game.showing.view_of)["return"], defined)
    return {**whole, "$defs": defined}


def _schema(hint: Any, defined: dict[str, Schema]) -> Schema:
    if hint in PLAIN:
        return dict(PLAIN[hint])
    if typing.is_typeddict(hint):
        if hint.__name__ not in defined:
            defined[hint.__name__] = {}  # it may hold itself
            defined[hint.__name__] = _object(hint, defined)
        return {"$ref": f"#/$defs/{hint.__name__}"}
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Literal:
        return {"enum": list(inner)}
    if origin in {typing.Union, types.UnionType}:
        return {"anyOf": [_schema(one, defined) for one in inner]}
    if origin is tuple and inner[-1] is not Ellipsis:
        return {"type": "array", "prefixItems": [_schema(one, defined) for one in inner], "minItems": len(inner), "maxItems": len(inner)}
    if origin in {list, tuple} or hint in {list, tuple}:
        return {"type": "array", "items": _schema(inner[0], defined) if inner else {}}
    if origin is dict or hint is dict:
        return {"type": "object", "additionalProperties": _schema(inner[1], defined) if inner else {}}
    raise TypeError(f"a view holds {hint}, which has no schema")


def _object(hint: Any, defined: dict[str, Schema]) -> Schema:
    fields = typing.get_type_hints(hint)
    return {
        "type": "object",
        "description": " ".join((hint.__doc__ or "").split()),
        "properties": {name: _schema(one, defined) for name, one in fields.items()},
        "required": sorted(hint.__required_keys__),
        "additionalProperties": False,
    }


def event_schemas(game: type[Game]) -> list[Schema]:
    """Every kind of event of a game, with its parameters."""
    script = game.script
    told = [_event(form, script.card) for form in script.lines.values()]
    pile = {"enum": sorted(set(script.piles))}
    return [*told, _shape("shuffled", {"pile": pile, "cards": {"type": "integer"}}, None)]


def _event(form: EventForm, card: Callable[[int], str | None]) -> Schema:
    name, fields, secret, rule = form
    found = {field: _probed(read) for field, read in fields.items()}
    if secret is not None:
        found[secret] = {**_probed(card), "description": "null for who is not told"}
    return _shape(name, found, rule if isinstance(rule, str) else "")


def _shape(kind: str, fields: dict[str, Schema], rule: str | None) -> Schema:
    head: dict[str, Schema] = {"kind": {"const": kind}}
    if rule is not None:
        head["rule"] = {"const": rule} if rule else {"type": "string"}
    return {"type": "object", "properties": head | fields, "required": [*head, *fields], "additionalProperties": False}


def _probed(read: Callable[[int], Any]) -> Schema:
    """What a field can read like, found by asking it."""
    values = []
    for number in PROBED:
        try:
            values.append(read(number))
        except (LookupError, ValueError):
            continue
    texts = sorted({value for value in values if isinstance(value, str)})
    kinds: list[Schema] = []
    if texts:
        kinds.append({"enum": texts} if len(texts) <= MOST_NAMED else {"type": "string"})
    kinds += [{"type": "boolean"}] if any(isinstance(value, bool) for value in values) else []
    kinds += [{"type": "integer"}] if any(type(value) is int for value in values) else []
    kinds += [{"type": "array"}] if any(isinstance(value, list | tuple) for value in values) else []
    kinds += [{"type": "object"}] if any(isinstance(value, dict) for value in values) else []
    kinds += [{"type": "null"}] if None in values else []
    return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}


def game_schemas() -> dict[str, Schema]:
    """For each game its view and its events."""
    games = {name: find_game(name) for name in playable()}
    return {name: {"view": view_schema(game), "events": event_schemas(game)} for name, game in games.items()}
