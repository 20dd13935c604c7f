"""Redis, and nothing else knows Redis: keys, Lua functions, one store per aggregate, the feed, the embedded server.
Imports `server.race` and below; decides nothing about races."""

from server.store.errors import StoreError, StoreRefused, StoreUnavailable
from server.store.store import Store, open_store

__all__ = ["Store", "StoreError", "StoreRefused", "StoreUnavailable", "open_store"]
