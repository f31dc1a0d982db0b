"""Keys and sessions: long random tokens of which only a digest is kept."""

from __future__ import annotations

import hashlib
import hmac

from ..store import Pass, Store

LONGEST = 200


def digest_of(token: str) -> bytes:
    """What is kept of a token. It has 192 random bits, so a plain digest cannot be turned round."""
    return hashlib.sha256(b"drunemeton token\n" + token.encode()).digest()


def look_up(store: Store, token: str, table: str, *, session: bool) -> Pass | None:
    """What a token opens at a table; None if it is none of ours."""
    if not token or len(token) > LONGEST or not token.isascii():
        return None
    digest = digest_of(token)
    found = store.find_pass(digest, session=session)
    if found is None or not hmac.compare_digest(found.digest, digest) or not hmac.compare_digest(found.table.encode(), table.encode()):
        return None
    return found


def bearer(header: str | None) -> str:
    """The token in an Authorization header, or an empty string."""
    kind, _, token = (header or "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""
