"""What is typed, checked, and what went wrong, in words: every refusal says what to do."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from urllib.parse import urlsplit

from ..rules.errors import GameError

KILLED = (
    "a process that played was ended by somebody else, or for want of memory; what was kept in a file is there: "
    "give the same command again, with fewer --processes if memory was lacking"
)


def port(text: str) -> int:
    """A port."""
    if not text.isdecimal() or len(text) > 5 or int(text) > 65535:
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return int(text)


def public_url(text: str) -> str:
    """The address under which others reach a server."""
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path not in {"", "/"} or parts.query or parts.fragment:
        raise argparse.ArgumentTypeError("a public address looks like https://druids.example, without a path")
    return text


def address(text: str) -> str:
    """Where one server reaches another."""
    host, _, number = text.rpartition(":")
    if (
        not host
        or any(one.isspace() or one == "/" for one in host)
        or not number.isdecimal()
        or len(number) > 5
        or not 1 <= int(number) <= 65535
    ):
        raise argparse.ArgumentTypeError(f"{text!r} is no address of a server: HOST:PORT, such as 10.0.0.5:8137")
    return text


def named(text: str) -> str:
    """The name of a file, or of a database."""
    if not text.strip() or "\0" in text:
        raise argparse.ArgumentTypeError(f"{text!r} names nothing: give the name of a file, or leave the option out")
    return text


def path(text: str) -> Path:
    """A file or a folder."""
    return Path(named(text))


def can_write(file: Path, what: str) -> None:
    """Refuse a file that cannot be written before there is anything to lose; one that is not there is not made."""
    why = None
    if file.is_dir():
        why = "it is a folder"
    elif not file.parent.is_dir():
        why = f"there is no folder {file.parent}"
    elif not os.access(file if file.exists() else file.parent, os.W_OK):
        why = "you may not write there"
    if why:
        raise GameError(f"{what} {file} cannot be written: {why}")


def host(text: str) -> str:
    """What a server listens on; nothing would be every address, also those that strangers reach."""
    if not text.strip() or any(one.isspace() or one in "/\0" for one in text):
        raise argparse.ArgumentTypeError(f"{text!r} is no address to listen on: 127.0.0.1 for this machine only, 0.0.0.0 for everybody")
    return text


def store(text: str) -> str:
    """Where tables are kept; an address of something else would become a folder of that name."""
    if "://" in named(text) and not text.startswith(("postgresql://", "postgres://")):
        raise argparse.ArgumentTypeError(f"{text!r} is no store: the name of a file, or postgresql://USER@HOST/DATABASE")
    return text


def store_file(text: str) -> Path:
    """A store that is a file."""
    if "://" in text:
        raise argparse.ArgumentTypeError("backup copies a store that is a file; a database is copied by its own tools, such as pg_dump")
    return path(text)


def positive(text: str) -> int:
    """A count."""
    if not text.isascii() or not text.isdecimal() or len(text) > 13 or not 1 <= int(text) <= 10**12:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to {10**12:,}")
    return int(text)


def from_nothing(text: str) -> int:
    """A count that may be none."""
    return 0 if text == "0" else positive(text)


def seed(text: str) -> int:
    """The number of a deal."""
    if not text.isascii() or not text.isdecimal() or len(text) > 18:
        raise argparse.ArgumentTypeError(f"{text!r} is not a seed: a whole number of at most 18 digits")
    return int(text)


def step(text: str) -> int:
    """The number of a move."""
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text!r} is not the number of a move; 0 is the set-up")
    return int(text)


def span(text: str) -> float:
    """A length of time."""
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not 0 <= number < 10**6:
        raise argparse.ArgumentTypeError(f"{text!r} is no length of time: 0 or more")
    return number


def place(text: str) -> str:
    """Where games are played."""
    if text != "gpu":
        processors(text)
    return text


ON = "where games are played: cpu, ray (on this machine) or ray://HOST:PORT (a cluster)"


def processors(text: str) -> str:
    """Where games of any bots are played."""
    if text not in {"cpu", "ray"} and not text.startswith("ray://"):
        raise argparse.ArgumentTypeError(f"{text!r} is no place to play: cpu, gpu for simulate and lab run, ray, or ray://HOST:PORT")
    return text


def hands(place: str, asked: int | None) -> int:
    """How many play side by side there: as asked for, or one for each processor."""
    if not place.startswith("ray"):
        return asked or os.cpu_count() or 1
    from ..bots.on_ray import processors as on_cluster

    return max(2, asked or on_cluster(place))  # one alone would be this process


def explained(problem: Exception, language: str = "en") -> str:
    """What went wrong, with the words of the catalogue where it was a move."""
    from ..locales import tell_reason
    from ..rules.errors import IllegalMove

    illegal = problem.__cause__ if isinstance(problem.__cause__, IllegalMove) else problem
    if not isinstance(illegal, IllegalMove):
        return str(problem)
    reason = tell_reason(language, illegal.reason.code, illegal.reason.params)
    return str(problem).replace(f"{illegal.move}: {illegal.reason.code}", reason)


def give_out(text: str, out: Path | None) -> None:
    """Print a text, or write it to a file that is not there yet."""
    from ..rules.errors import GameError

    if out is None:
        print(text, end="")
        return
    if out.exists():
        raise GameError(f"{out} is there already")
    out.write_text(text, encoding="utf-8")
