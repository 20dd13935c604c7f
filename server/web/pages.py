"""The browser client's files over HTTP: the page, its modules, styles and pictures, with strict headers.

Everything is read once and served from memory. Files lie under `/app/<version>/`, where the version is a hash over all
of them, so that they may be kept for ever and a page never mixes two versions. The contest's own API is not here.
"""

import gzip
import hashlib
import json
import mimetypes
import posixpath
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import resources
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from server.service.contest import Contest
from server.web.addresses import address_of
from server.web.http.tolls import LOCAL, Tolls
from server.web.previews import HOME, IMAGE, find_preview, head

WEB: Final = Path(__file__).parent.parent.parent / "client" / "web"
PAGES: Final = (
    "/",
    "/race/{rest:path}",
    "/r/{rest:path}",
    "/daily",
    "/daily/{rest:path}",
    "/practice",
    "/practice/{rest:path}",
    "/replay/{rest:path}",
    "/archive",
    "/archive/{rest:path}",
    "/me",
    "/boards",
    "/boards/{rest:path}",
    "/player/{rest:path}",
    "/games",
    "/games/{rest:path}",
    "/settings",
    "/about",
)
"""Addresses that the client shows something at: all get the one page."""
POLICY: Final = (
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'; "
    "require-trusted-types-for 'script'; trusted-types lit-html ramparts"
)
_SAFE: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
PAGES_KEPT: Final = 500
"""Pages with what their links show, ready to be sent: a few kilobytes each."""
_LONGEST_KEPT: Final = 4_000
"""Bytes of what a link shows: an address may be ten times as long, and no page of ours has one."""
PREVIEW_COST: Final = 1
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_ASK_FIRST: Final = "no-cache"
_LEAST_TO_PACK: Final = 600
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
_IMPORT: Final = re.compile(r"""^(?:import|export)\b[^;'"(]*?['"](\.[^'"]+\.js)['"]""", re.MULTILINE)
_FIRST_VIEW: Final = ("js/main.js", "js/pages/home.js")
_WORKER_FILES: Final = b"const FILES = [];"
_MODULES: Final = b"<!-- modules -->"
_HEAD: Final = b"<!-- preview -->"
_FOR_A_DAY: Final = "public, max-age=86400"
_HOST: Final = re.compile(r"[A-Za-z0-9.-]{1,253}(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](:[0-9]{1,5})?")
_LEFT_OUT: Final = {".ts", ".md"}


@dataclass(frozen=True, slots=True)
class File:
    """One file ready to be sent."""

    body: bytes
    packed: bytes | None
    """The same by gzip, where that is smaller."""
    media: str
    tag: str


def make_file(name: str, body: bytes) -> File:
    """A file of this name and content."""
    suffix = Path(name).suffix
    media = _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    packed = gzip.compress(body, 9, mtime=0) if suffix in _TYPES and len(body) >= _LEAST_TO_PACK else None
    is_smaller = packed is not None and len(packed) < len(body)
    return File(body, packed if is_smaller else None, media, f'"{hashlib.sha256(body).hexdigest()[:24]}"')


def read_files(folder: Path = WEB) -> dict[str, bytes]:
    """What the client is made of, by its path below the folder; the records of the variants are among it."""
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(_walk(folder))}
    files["variants.json"] = resources.files("rules").joinpath("variants.json").read_bytes()
    return files


def _walk(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file() and path.suffix not in _LEFT_OUT)


def modules_of(files: dict[str, bytes], *entries: str) -> list[str]:
    """The modules that these import, themselves included, each once: the browser can ask for all of them at once."""
    found: dict[str, None] = {}
    waiting = list(entries)
    while waiting:
        name = waiting.pop(0)
        if name in found or name not in files:
            continue
        found[name] = None
        folder = posixpath.dirname(name)
        paths = _IMPORT.findall(files[name].decode("utf-8"))
        waiting.extend(posixpath.normpath(posixpath.join(folder, path)) for path in paths)
    return list(found)


def version_of(files: dict[str, bytes]) -> str:
    """A short name of exactly this client."""
    whole = hashlib.sha256()
    for name, body in sorted(files.items()):
        whole.update(f"{name}\n{len(body)}\n".encode())
        whole.update(body)
    return whole.hexdigest()[:12]


def _is_for_practice(name: str) -> bool:
    """Worth keeping on a device that may be offline later: all code, and one of the decks."""
    return (name.endswith((".js", ".css", ".json", "icon.svg")) and name != "sw.js") or name.startswith("art/2color/")


class Pages:
    """The files of one version of the client."""

    def __init__(
        self, files: dict[str, bytes], public_url: str | None = None, unlimited_addresses: Collection[str] = LOCAL
    ) -> None:
        self._public_url = public_url
        self._tolls = Tolls(unlimited_addresses)
        self._page_with = lru_cache(PAGES_KEPT)(self._make_page)
        self.version = version_of(files)
        base = f"/app/{self.version}/".encode()
        modules = modules_of(files, *_FIRST_VIEW)
        preloads = "\n".join(f'<link rel="modulepreload" href="/app/{name}">' for name in modules).encode()
        page = files["index.html"].replace(_MODULES, preloads)
        self._page = page.replace(b"/app/", base)
        kept = json.dumps([f"/app/{name}" for name in files if _is_for_practice(name)]).encode()
        worker = files["sw.js"].replace(_WORKER_FILES, b"const FILES = " + kept + b";")
        self._worker = make_file("sw.js", worker.replace(b"/app/", base))
        self._manifest = make_file("manifest.webmanifest", files["manifest.webmanifest"].replace(b"/app/", base))
        self._icon = f"/app/{self.version}/icon.svg"
        self._files = {name: make_file(name, body) for name, body in files.items()}

    def routes(self) -> list[BaseRoute]:
        """To be taken in behind those of the API."""
        return [
            Route("/app/{version}/{path:path}", self._show_file, include_in_schema=False),
            Route("/sw.js", self._show_worker, include_in_schema=False),
            Route("/manifest.webmanifest", self._show_manifest, include_in_schema=False),
            Route("/favicon.ico", self._show_icon, include_in_schema=False),
            Route(IMAGE, self._show_image, include_in_schema=False),
            *(Route(path, self._show_page, include_in_schema=False) for path in PAGES),
            Route("/{rest:path}", self._show_missing, include_in_schema=False),
        ]

    async def _show_page(self, request: Request) -> Response:
        contest: Contest = request.app.state.contest
        may_ask = partial(self._tolls.takes, address_of(request.scope), PREVIEW_COST, contest.clock.now_ms())
        preview = await find_preview(contest, request.url.path, may_ask)
        lines = head(preview, self._origin(request), request.url.path)
        page = self._page_with(lines) if len(lines) <= _LONGEST_KEPT else self._make_page(lines)
        return _answer(request, page, _ASK_FIRST)

    def _make_page(self, lines: bytes) -> File:
        return make_file("index.html", self._page.replace(_HEAD, lines))

    def _origin(self, request: Request) -> str:
        """Where links lead to: what is configured, else the host that was asked, if it can be one."""
        if self._public_url is not None:
            return self._public_url
        host = request.headers.get("host", "")
        return f"{request.url.scheme}://{host}" if _HOST.fullmatch(host) else ""

    async def _show_missing(self, request: Request) -> Response:
        """Nothing is at this address: a browser gets the page, which says so and leads home."""
        if "text/html" not in request.headers.get("accept", ""):
            return _nothing()
        page = self._page_with(head(HOME, self._origin(request), "/"))
        return _answer(request, page, _ASK_FIRST, status=404)

    async def _show_image(self, request: Request) -> Response:
        return _answer(request, self._files[IMAGE.removeprefix("/")], _FOR_A_DAY)

    async def _show_worker(self, request: Request) -> Response:
        return _answer(request, self._worker, _ASK_FIRST)

    async def _show_manifest(self, request: Request) -> Response:
        return _answer(request, self._manifest, _ASK_FIRST)

    async def _show_icon(self, _request: Request) -> Response:
        return RedirectResponse(self._icon, status_code=302)

    async def _show_file(self, request: Request) -> Response:
        file = self._files.get(request.path_params["path"])
        if file is None or request.path_params["version"] != self.version:
            # An old page asks for a part of its own version: it must load anew, never get a part of this one.
            return _nothing()
        return _answer(request, file, _FOR_EVER)


def _nothing() -> Response:
    return Response("There is nothing here.", 404, {**_SAFE, "Cache-Control": "no-store"}, "text/plain")


def _answer(request: Request, file: File, cache: str, status: int = 200) -> Response:
    headers = {**_SAFE, "Cache-Control": cache, "ETag": file.tag, "Vary": "Accept-Encoding"}
    known = request.headers.get("if-none-match", "")
    if file.tag in (tag.strip().removeprefix("W/") for tag in known.split(",")):
        return Response(status_code=304, headers=headers)
    if file.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, status, {**headers, "Content-Encoding": "gzip"}, file.media)
    return Response(file.body, status, headers, file.media)


def page_routes(public_url: str | None = None, unlimited_addresses: Collection[str] = LOCAL) -> list[BaseRoute]:
    """The routes of the client as it lies in this checkout, for a server that is reached at this address.

    How often the store is asked for what a link shows is limited by address, but for those that stand for many people.
    """
    return Pages(read_files(), public_url, unlimited_addresses).routes()
