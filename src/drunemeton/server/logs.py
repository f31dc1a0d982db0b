"""Structured logs: one JSON object a line. Callers name every field, and never a key, a session, a view or a message."""

from __future__ import annotations

import json
import logging
from typing import Any

LOG = logging.getLogger("drunemeton.server")


def log(what: str, *, level: int = logging.INFO, problem: BaseException | None = None, **fields: Any) -> None:
    """One line. Of a problem only its type and place are told: its text may quote what a client sent."""
    if not LOG.isEnabledFor(level):
        return
    if problem is not None:
        fields |= _told_of(problem)
    LOG.log(level, what, extra={"fields": fields})


def _told_of(problem: BaseException) -> dict[str, str]:
    trace = problem.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = {} if trace is None else {"where": f"{trace.tb_frame.f_code.co_filename.rsplit('/', 1)[-1]}:{trace.tb_lineno}"}
    return {"problem": type(problem).__name__, **where}


class JsonLines(logging.Formatter):
    """Log records as JSON lines, each with the process that wrote it: several servers may write to one place."""

    def __init__(self, process: str) -> None:
        super().__init__()
        self.process = process

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        level, what = record.levelname.lower(), record.getMessage().strip()
        line = {"at": round(record.created, 3), "level": level, "process": self.process, "what": what}
        if record.exc_info and record.exc_info[1] is not None:
            line |= _told_of(record.exc_info[1])
        return json.dumps(line | getattr(record, "fields", {}), ensure_ascii=False, default=str)


def log_to_stderr(process: str, level: int = logging.INFO) -> None:
    """Write this process's lines to standard error, the web server's own too."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines(process))
    for logger, least in ((LOG, level), (logging.getLogger("uvicorn.error"), logging.WARNING)):
        logger.handlers[:] = [handler]
        logger.setLevel(least)
        logger.propagate = False
