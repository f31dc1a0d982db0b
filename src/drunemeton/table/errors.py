"""What a table refuses, with a reason for the catalogues."""

from __future__ import annotations

from typing import Any

from ..rules.errors import GameError, Reason


class Refused(GameError):
    """The table does not do that now; nothing has changed."""

    def __init__(self, code: str, rule: str | None = None, **params: Any) -> None:
        super().__init__(code)
        self.reason = Reason(code, rule, params)

    @classmethod
    def because(cls, reason: Reason) -> Refused:
        """The refusal that a rule's reason makes."""
        return cls(reason.code, reason.rule, **reason.params)
