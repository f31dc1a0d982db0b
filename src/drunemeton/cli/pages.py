"""`drunemeton docs`: the documentation, with or without a checkout."""

from __future__ import annotations

import argparse
import pydoc
import sys
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    """The command that shows pages."""
    docs = commands.add_parser("docs", help="read the documentation", description="Read a page of the documentation, or list all pages.")
    docs.add_argument("page", nargs="?", metavar="PAGE", help="such as architecture or rules/en/GAME; without it all are listed")
    docs.set_defaults(run=_docs)


def folder() -> Path:
    """Where the pages are: in the package, or in the checkout that it is installed from."""
    package = Path(__file__).parents[1]
    return next(place for place in (package / "docs", package.parents[1] / "docs") if (place / "architecture.md").is_file())


def pages() -> dict[str, Path]:
    """All pages by name."""
    return {path.relative_to(folder()).with_suffix("").as_posix(): path for path in sorted(folder().rglob("*.md"))}


def _docs(args: argparse.Namespace) -> int:
    from ..rules.errors import GameError

    found = pages()
    if args.page is None:
        for name, path in found.items():
            print(f"  {name:24} {path.read_text(encoding='utf-8').splitlines()[0].lstrip('# ')}")
        return 0
    page = found.get(args.page.removesuffix(".md").removeprefix("docs/"))
    if page is None:
        raise GameError(f"there is no page {args.page!r}; `drunemeton docs` lists them")
    text = page.read_text(encoding="utf-8")
    pydoc.pager(text) if sys.stdout.isatty() else print(text, end="")
    return 0
