"""Where tables live: append-only entries per table, on disk before anybody is told. SQLite is the default."""

from .base import Pass, Store, StoredEntry, StoredTable, StoreError, Summary, TooNew
from .sqlite import SqliteStore, backup

__all__ = ["Pass", "SqliteStore", "Store", "StoreError", "StoredEntry", "StoredTable", "Summary", "TooNew", "backup"]
