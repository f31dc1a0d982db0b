"""Writing to a store as its writer does, whichever store it is."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

from drunemeton.store import SqliteStore, StoredEntry, StoreError, Summary
from drunemeton.store.writer import Writer, batch_of, named

SUMMARY = Summary(5, False, 0)


def writer_of(store: Any) -> Any:
    """What its writer's process does, in this one."""
    if isinstance(store, SqliteStore):
        return Writer(store.path)
    from drunemeton.store.postgres_writer import PostgresWriter

    return PostgresWriter(store.where, store.process)


def start_writer(store: Any) -> subprocess.Popen[bytes]:
    """Its writer's process."""
    command, files, environment = store.writer()
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=files, env={**os.environ, **environment})


def make(store: Any, ident: str = "t", *, summary: Any = SUMMARY, passes: Any = ()) -> None:
    done(store, "create", table=[ident, "druidenwalzer", summary.touched, summary], first="first", passes=named(passes))


def done(store: Any, what: Any, **given: Any) -> Any:
    """One request to the writer; an error if it is refused."""
    writer = writer_of(store)
    said = writer.do(json.dumps({"do": what, **given}).encode())
    writer.close()
    if "problem" in said:
        raise StoreError(said["problem"])
    return said["answer"]


def as_json(value: Any) -> Any:
    return json.dumps({"kind": value}, ensure_ascii=False, separators=(",", ":")).encode()


def kinds(store: Any, table: Any) -> Any:
    """The entries after the first, as they were handed in."""
    return [json.loads(entry)["kind"] for entry in store.entries(table)[1:]]


def append(store: Any, *entries: Any) -> Any:
    """Entries in one batch; what is wrong with each."""
    writer = writer_of(store)
    stored = [
        StoredEntry(table, number, as_json(entry), summary[0] if summary else None, epoch=1) for table, number, entry, *summary in entries
    ]
    answers = writer.append([batch_of(stored)])[0]
    writer.close()
    return answers or [None] * len(entries)
