"""`drunemeton docs`: the documentation, with or without a checkout, in the browser or as text."""

from __future__ import annotations

import argparse
import pydoc
import sys
import tempfile
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    """The command that shows pages."""
    docs = commands.add_parser(
        "docs", help="read the documentation", description="Open the documentation in the browser, from a server of its own; or as text."
    )
    docs.add_argument("page", nargs="?", metavar="PAGE", help="such as architecture or rules/en/GAME; without it all are listed")
    docs.add_argument("--text", action="store_true", help="here, as text; so too where nobody sits at a terminal")
    docs.set_defaults(run=_docs)


def _docs(args: argparse.Namespace) -> int:
    from ..rules.errors import GameError
    from ..server.documentation import folder, pages, title_of

    root = folder()
    if root is None:
        raise GameError("the documentation is not part of this installation")
    found = pages(root)
    name = (args.page or "").removesuffix(".md").removeprefix("docs/")
    if args.page is not None and name not in found:
        raise GameError(f"there is no page {args.page!r}; `drunemeton docs --text` lists them")
    if sys.stdout.isatty() and not args.text:
        from ..server import serve

        # A store of its own: reading has nothing to do with the tables of this machine.
        with tempfile.TemporaryDirectory() as place:
            return serve(port=0, store=str(Path(place) / "tables.db"), page=f"/docs/{name}" if name else "/docs")
    if not name:
        for one, path in found.items():
            print(f"  {one:24} {title_of(path)}")
        return 0
    text = found[name].read_text(encoding="utf-8")
    pydoc.pager(text) if sys.stdout.isatty() else print(text, end="")
    return 0
