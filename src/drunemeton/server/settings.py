"""What can be set about a server, with what it takes from outside (time, chance), so that tests can hand these in."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import secrets
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from ..rules.chance import Chance
from ..rules.game import Game, find_game
from .bot_pool import MAKER

PACKAGE = Path(__file__).parent.parent
DAY = 24 * 3600


def default_store() -> Path:
    """The store in the user's data folder."""
    if path := os.environ.get("DRUNEMETON_STORE"):
        return Path(path)
    if sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA", str(Path.home())))
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Application Support"
    else:
        folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return folder / "drunemeton" / "tables.db"


def rules_folder() -> Path:
    """Where the rules pages are: in the package, or in the repository that it is installed from."""
    inside = PACKAGE / "docs" / "rules"
    return inside if inside.is_dir() else PACKAGE.parent.parent / "docs" / "rules"


def spare_processors() -> int:
    """How many processes bots may think in: one processor is left to those who play, and more than a few are not worth their memory."""
    return min(4, max(1, (os.cpu_count() or 1) - 1))


def lab_allowed() -> bool | None:
    """What the host says of the laboratory: DRUNEMETON_LAB=1 opens it also to the public, 0 closes it to all."""
    return {"1": True, "0": False}.get(os.environ.get("DRUNEMETON_LAB", ""))


def steady_clock() -> Callable[[], int]:
    """The time in milliseconds as it was when the server started, going on steadily: whoever sets the machine's clock changes nothing."""
    began = time.time_ns() - time.monotonic_ns()
    return lambda: (began + time.monotonic_ns()) // 1_000_000


@dataclass(frozen=True)
class Settings:
    """A server's settings. Limits are per client address unless they say otherwise."""

    store_path: Path = field(default_factory=default_store)
    host: str = "127.0.0.1"
    port: int = 8137
    public_url: str | None = None
    assets: Path = Path(__file__).parent / "assets"
    rules: Path = field(default_factory=rules_folder)

    body_bytes: int = 64 * 1024
    record_bytes: int = 1024 * 1024  # of a record handed in to be looked at
    replays_per_minute: float = 20.0
    replays_burst: int = 30
    replay_seconds: float = 15.0
    reviews_per_hour: float = 60.0
    reviews_burst: int = 20
    record: Path | None = None  # a file that `drunemeton replay` shows
    message_bytes: int = 4096
    messages_per_second: float = 20.0  # per connection; some count for more (`protocol.py`)
    messages_burst: int = 60
    address_messages_per_second: float = (
        240.0  # of all connections of an address: a club of twenty behind one plays undisturbed; others wait
    )
    address_messages_burst: int = 1200
    requests_per_second: float = 30.0
    requests_burst: int = 200
    tables_per_hour: float = 60.0
    tables_burst: int = 40
    connections: int = 64
    arrivals_per_second: float = 10.0  # of WebSockets: who comes more often waits at the door
    arrivals_burst: int = 100
    connections_total: int = 5000
    connections_per_seat: int = 8
    sessions_per_seat: int = 20
    waiting_messages: int = 64  # unsent to one connection: then it is too slow
    hello_seconds: float = 10.0
    idle_seconds: float = 1800.0
    sweep_seconds: float = 2.0
    open_files: int = 6000  # connections of all kinds at most, and some files beside
    lobby_per_address: int = 5  # tables in the lobby that were made from one address

    lab: bool | None = field(default_factory=lab_allowed)  # whether experiments may be run here; None: not on a public server
    lab_deals: int = 2000  # games of one setting, at most
    lab_settings: int = 12
    lab_seconds: float = 300.0  # then an experiment is cut short
    lab_per_minute: float = 10.0
    lab_burst: int = 20

    metrics: bool = False  # whether /metrics tells a monitor how much goes on
    seeds_anywhere: bool = False  # whether people on several devices may share a table with a typed seed, of which one knows every card
    bot: str = "greedy"  # plays abandoned seats
    bot_seconds: float = 10.0
    bot_workers: int = field(default_factory=spare_processors)
    bot_maker: str = MAKER  # module:function that makes bots in their own processes
    away_seconds: float = 60.0
    forget_seconds: float = 120.0  # a table that nobody is at leaves memory
    keep_running_seconds: float = 180 * DAY
    keep_over_seconds: float = 60 * DAY
    expire_seconds: float = 3600.0  # how often it is looked whether tables are too old

    now: Callable[[], int] = field(default_factory=steady_clock)
    token: Callable[[], str] = lambda: secrets.token_urlsafe(24)  # 192 bits
    table_id: Callable[[], str] = lambda: secrets.token_urlsafe(12)  # 96 bits: a finished game's record is open to who knows it
    chance: Callable[[], Chance] = Chance.fresh
    bot_seed: Callable[[], int] = lambda: secrets.randbits(62)
    find: Callable[[str], type[Game]] = find_game

    @property
    def reach(self) -> Literal["public", "network", "machine"]:
        """Who can get here: everybody under a public address, the local network, or this machine alone."""
        return "public" if self.public_url else "machine" if is_loopback(self.host) else "network"

    def addresses(self) -> list[str]:
        """Where others in the local network find this server; none if they cannot, or go by a public address."""
        if self.reach != "network":
            return []
        hosts = own_addresses() if self.host in {"0.0.0.0", "::", ""} else [self.host]
        return [f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}" for host in hosts]

    def host_is_ours(self, host: str) -> bool:
        """Whether a Host header names this server: no page elsewhere may reach us under a name of its own."""
        name = _host_name(host)
        if self.public_url and name == _host_name(urlsplit(self.public_url).netloc):
            return True
        if name in {"localhost", "127.0.0.1", "::1", self.host.lower()}:
            return True
        if self.host not in {"0.0.0.0", "::", ""}:
            return False
        # Open to the local network: an address, or this machine's own name, but no other name.
        return _is_address(name) or name.removesuffix(".local") == socket.gethostname().lower().removesuffix(".local")

    def origin_is_ours(self, origin: str | None, host: str) -> bool:
        """Whether a page of this origin may open a socket here; a program that is no browser sends none."""
        if origin is None:
            return True
        parts = urlsplit(origin)
        if parts.scheme not in {"http", "https"}:
            return False
        if self.public_url:
            public = urlsplit(self.public_url)
            if (parts.scheme, parts.netloc.lower()) == (public.scheme, public.netloc.lower()):
                return True
        return parts.netloc.lower() == host.lower() and self.host_is_ours(host)


def is_loopback(host: str) -> bool:
    """Whether only this machine goes by that name."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def own_addresses() -> list[str]:
    """This machine's IPv4 addresses in its networks, the one on the way out first."""
    found: list[str] = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address for documentation: nothing is sent, but the system picks its way out
        found.append(probe.getsockname()[0])
    with contextlib.suppress(OSError):
        found += socket.gethostbyname_ex(socket.gethostname())[2]
    usable = (ipaddress.ip_address(one) for one in dict.fromkeys(found))
    return [str(one) for one in usable if not (one.is_loopback or one.is_link_local or one.is_unspecified)]


def _host_name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
