"""The web: HTTP, one WebSocket per client, static files. Thin: what happens at a table is decided in `table`."""

from __future__ import annotations

from .app import create_app
from .serve import Hosting, backup, serve
from .settings import Settings

__all__ = ["Hosting", "Settings", "backup", "create_app", "serve"]
