"""Where tables live: append-only entries per table, durable when their future is done. SQLite is the default."""

from .base import Entry, Mark, Pass, Store, StoredTable, StoreError, TooNew
from .sqlite import SqliteStore, backup

__all__ = ["Entry", "Mark", "Pass", "SqliteStore", "Store", "StoreError", "StoredTable", "TooNew", "backup"]
