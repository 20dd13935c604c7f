"""What a start can fail at, said in one line: the setting, its value and what to do. And taking the port, first of all.

Nothing is started here.
"""

import errno
import re
import socket
from contextlib import suppress

from server.config import Settings, variable_of
from server.store import StoreUnavailable
from server.store.address import parse_url

NO_SUCH_ADDRESS = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}
ERRNO = re.compile(r"\[Errno -?\d+\] ")


class CannotStart(Exception):  # noqa: N818 - a claim about the start
    """The server can't start with these settings; the text says which, and what to do."""


def open_listeners(settings: Settings) -> list[socket.socket]:
    """Takes the port on every address that the host's name has, without listening yet; raises `CannotStart`."""
    host, port = settings.host or None, settings.port
    listeners: list[socket.socket] = []
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, address in dict.fromkeys(found):
            listener = socket.socket(family, kind, protocol)
            listeners.append(listener)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            listener.bind(address)
    except OSError as error:
        for listener in listeners:
            listener.close()
        raise CannotStart(why_not_listening(settings, error)) from None
    return listeners


def why_not_listening(settings: Settings, error: OSError) -> str:
    """What an error of the host or the port means for whoever started the server."""
    port, host = f"{variable_of('port')}={settings.port}", f"{variable_of('host')}={settings.host}"
    if error.errno == errno.EADDRINUSE:
        other = settings.port + 1 if settings.port < 65_535 else 0
        return (
            f"{port}: something listens on this port of {settings.host} already. Stop it, or take another port: "
            f"ramparts serve --port {other}"
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"{port}: this user may not listen on this port. Take one from 1024 up, such as 8000."
    if isinstance(error, socket.gaierror) or error.errno in NO_SUCH_ADDRESS:
        return (
            f"{host}: this machine has no such address. 127.0.0.1 is for this machine alone, "
            "0.0.0.0 for every network it is in."
        )
    return f"{host}, {port}: can't be listened on: {error.strerror or error}."


def why_not_started(settings: Settings, error: Exception) -> str:
    """What an error of the store or of the data folder means for whoever started the server."""
    if isinstance(error, StoreUnavailable) and settings.redis_url is not None:
        return (
            f"{variable_of('redis_url')}={redis_place(settings)}: no Valkey or Redis that can be used answers there "
            f"({_reason(error)}). Start it or mend the address; without this setting the server starts its own Valkey."
        )
    if isinstance(error, OSError):
        return _why_no_folder(settings, error)
    return str(error)


def redis_place(settings: Settings) -> str:
    """The configured Redis's address, without what is secret in it."""
    if settings.redis_url is None:
        return ""
    address = parse_url(settings.redis_url.get_secret_value())
    if address.path is not None:
        return f"unix://{address.path}"
    return f"redis{'s' if address.tls else ''}://{address.host}:{address.port}"


def _reason(error: StoreUnavailable) -> str:
    reason = str(error).rpartition("): ")[2]
    return ERRNO.sub("", reason) if reason and reason != "None" else "silence"


def _why_no_folder(settings: Settings, error: OSError) -> str:
    folder = settings.data_dir
    named = f"{variable_of('data_dir')}={folder}"
    with suppress(OSError):
        if folder.exists() and not folder.is_dir():
            return f"{named}: this is a file. Name a folder for the server's data; it is made if it is not there."
    if isinstance(error, NotADirectoryError):
        return f"{named}: a file stands in the way. Name a folder for the server's data."
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return f"{named}: this user can't write there. Name a folder that can be written, or mend its permissions."
    return f"{named}: the data can't be kept there: {error.strerror or error}."
