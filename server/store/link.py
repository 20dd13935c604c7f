"""The one connection that a process's commands go through, many at a time."""

import asyncio
from typing import Any

from hiredis import ReplyError

from server.store.connection import MAX_PENDING, Connection, Parse, Word, pack
from server.store.errors import StoreRefused, StoreUnavailable
from server.store.library import function_name, library_text

_REDIAL = ("ERR Function not found", "READONLY")
"""Nothing was carried out, and a new greeting mends it: it loads the functions, or finds the new primary."""


class Link(Connection):
    """Calls Redis. Every call is sent at most once; its future fails with `StoreUnavailable` or `StoreRefused`."""

    def call(self, *words: Word, parse: Parse | None = None) -> asyncio.Future[Any]:
        """One command: a future of its reply, or of what `parse` makes of the reply. Texts come as str."""
        future: asyncio.Future[Any] = self._loop.create_future()
        if self.up and len(self._pending) < MAX_PENDING:
            self._send(pack(words), future, parse)
        else:
            future.set_exception(StoreUnavailable("not connected" if not self.up else "too many calls are waiting"))
        return future

    def fcall(self, name: str, keys: tuple[str, ...], *args: Word, parse: Parse | None = None) -> asyncio.Future[Any]:
        """Calls the function of `lua/<name>.lua`; all keys lie in one slot."""
        return self.call("FCALL", function_name(name), len(keys), *keys, *args, parse=parse)

    async def _greet(self) -> None:
        await super()._greet()
        await self._load_library()

    async def _load_library(self) -> None:
        try:
            await self._say("FUNCTION", "LOAD", library_text())
        except StoreRefused as error:
            if "already exists" not in str(error):
                raise

    def _on_reply(self, reply: Any) -> None:
        if isinstance(reply, ReplyError) and str(reply).startswith(_REDIAL):
            self._last_error = reply
            self._hang_up()
            return
        super()._on_reply(reply)
