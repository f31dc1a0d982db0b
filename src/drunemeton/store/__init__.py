"""Where tables live: append-only entries per table, on disk before anybody is told. SQLite is the default."""

from .base import Owner, Pass, Store, StoredEntry, StoredTable, StoreError, Summary, TooNew, WriterStart, told
from .sqlite import SqliteStore, backup

__all__ = [
    "Owner",
    "Pass",
    "SqliteStore",
    "Store",
    "StoreError",
    "StoredEntry",
    "StoredTable",
    "Summary",
    "TooNew",
    "WriterStart",
    "backup",
    "told",
]
