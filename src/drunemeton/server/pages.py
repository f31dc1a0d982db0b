"""The page itself: the built front end with its compressed twins, the rules, and the headers that every answer carries."""

from __future__ import annotations

import base64
import hashlib
import json
import logging
import math
import mimetypes
import re
from pathlib import Path
from urllib.parse import urlsplit

from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .. import __version__
from .limits import PASSED, Buckets, client_of
from .logs import log
from .settings import Settings

MISSING = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Drunemeton</title>
<h1>Drunemeton</h1>
<p>The server runs, but its page has not been built yet. In the repository, run</p>
<pre>python hatch_build.py</pre>
<p>and load this page again. The interface for programs is under <a href="/api/version">/api</a>.</p></html>
"""
NAME_MAX = 255  # bytes in the name of a file
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
INLINE = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2"}


def build_of(assets: Path) -> str:
    """The name of this build: it changes when the page must be loaded anew."""
    index = assets / "index.html"
    content = index.read_bytes() if index.is_file() else b""
    return f"{__version__}-{hashlib.sha256(content).hexdigest()[:12]}"


def policy_of(settings: Settings) -> str:
    """The content security policy: nothing from elsewhere, and of inline scripts only those that the built page has."""
    index = settings.assets / "index.html"
    scripts = INLINE.findall(index.read_text(encoding="utf-8")) if index.is_file() else []
    hashes = "".join(f" 'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in scripts)
    socket = ""
    if settings.public_url:
        public = urlsplit(settings.public_url)
        socket = f" {'wss' if public.scheme == 'https' else 'ws'}://{public.netloc}"  # older Safari does not count it as 'self'
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src 'self'{hashes}",
            "style-src 'self'",
            "style-src-attr 'unsafe-inline'",  # Svelte writes style attributes into its templates; they cannot run anything
            "img-src 'self' data:",
            "font-src 'self'",
            f"connect-src 'self'{socket}",
            "manifest-src 'self'",
            "worker-src 'self'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        ]
    )


class Guard:
    """Headers on every answer; foreign hosts, bodies that are too long and clients that are too fast are refused."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.buckets = Buckets(settings.requests_per_second, settings.requests_burst)
        self.headers = {
            "content-security-policy": policy_of(settings),
            "x-content-type-options": "nosniff",
            "x-frame-options": "DENY",
            "referrer-policy": "no-referrer",
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
            "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        }
        if (settings.public_url or "").startswith("https:"):
            self.headers["strict-transport-security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        begun = False

        async def with_headers(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                ours = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    ours[name] = value
                if scope["path"].startswith("/api") and "cache-control" not in ours:
                    ours["cache-control"] = "no-store"
            await send(message)

        problem = self._problem(scope, headers)
        if problem is not None:
            await problem(scope, receive, with_headers)
            return
        read, most = 0, self._most(scope)

        async def limited() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise BodyTooLong()
            return message

        try:
            await self.app(scope, limited, with_headers)
        except Exception as found:
            log("request_failed", level=logging.ERROR, problem=found)
            if begun:
                raise
            await error(500, "internal", "something went wrong here; it was logged")(scope, receive, with_headers)

    def _most(self, scope: Scope) -> int:
        return self.settings.record_bytes if scope["path"] in {"/api/replay", "/api/review"} else self.settings.body_bytes

    def _problem(self, scope: Scope, headers: Headers) -> Response | None:
        if not scope.get(PASSED) and not self.settings.host_is_ours(headers.get("host", "")):
            return error(421, "wrong_host", "this server does not go by that name")
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length[:20]) > self._most(scope):
            return error(413, "too_big", "this request is too long")
        if scope["path"].startswith("/api") and not self.buckets.take(client_of(scope)):
            return error(429, "too_fast", "too many requests")
        return None


class BodyTooLong(HTTPException):
    """A body that is longer than allowed, and did not say so before."""

    def __init__(self) -> None:
        super().__init__(413, {"code": "too_big", "message": "this request is too long", "rule": None, "params": {}})


def error(status: int, code: str, message: str, **more: object) -> Response:
    """An error as every caller gets it."""
    told = {"error": {"code": code, "message": message, "rule": None, "params": {}, **more}}
    # What a client sent may be quoted here, also what is no number and no letter: written so that any text and any JSON reader takes it.
    text = json.dumps(_plain(told), ensure_ascii=True, allow_nan=False, default=str)
    return Response(text, status, media_type="application/json")


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def front(settings: Settings, request: Request) -> Response:
    """A file of the front end, or its page for every address that the page itself understands."""
    root = settings.assets.resolve()
    if "\0" in request.url.path or any(len(part.encode()) > NAME_MAX for part in request.url.path.split("/")):  # no name of any file
        return error(404, "not_found", "there is no such file")
    wanted = (root / request.url.path.lstrip("/")).resolve()
    if not (wanted.is_relative_to(root) and wanted.is_file()) or wanted.suffix in {".br", ".gz"}:
        if Path(request.url.path).suffix:
            return error(404, "not_found", "there is no such file")
        wanted = root / "index.html"
        if not wanted.is_file():
            return HTMLResponse(MISSING, headers={"cache-control": "no-cache"})
    hashed = wanted.parent != root and re.search(r"-[\w-]{8,}\.", wanted.name)
    headers = {"cache-control": "public, max-age=31536000, immutable" if hashed else "no-cache", "vary": "accept-encoding"}
    kind = TYPES.get(wanted.suffix) or mimetypes.guess_type(wanted.name)[0] or "application/octet-stream"
    accepted = {part.split(";")[0].strip() for part in request.headers.get("accept-encoding", "").split(",")}
    for encoding, suffix in ENCODINGS:
        twin = wanted.with_name(wanted.name + suffix)
        if encoding in accepted and twin.is_file():
            return FileResponse(twin, media_type=kind, headers=headers | {"content-encoding": encoding})
    return FileResponse(wanted, media_type=kind, headers=headers)
