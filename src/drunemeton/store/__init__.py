"""Where tables live: append-only entries per table, on disk before anybody is told. SQLite is the default."""

from .base import Entry, Mark, Pass, Store, StoredTable, StoreError, TooNew
from .sqlite import SqliteStore, backup

__all__ = ["Entry", "Mark", "Pass", "SqliteStore", "Store", "StoreError", "StoredTable", "TooNew", "backup"]
