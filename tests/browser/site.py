"""The files of the web client over HTTP, with the strict headers of the real server but without its contest."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

ROOT = Path(__file__).parent.parent.parent
WEB = ROOT / "client" / "web"


class _Files(SimpleHTTPRequestHandler):
    """`/tests/` is this folder, `/rules/` the records; all else is the client."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".js": "text/javascript"}

    def translate_path(self, path: str) -> str:
        path = path.partition("?")[0]
        if path.startswith("/tests/"):
            return str(ROOT / "tests" / "browser" / "pages" / path.removeprefix("/tests/"))
        if path == "/rules/variants.json":
            return str(ROOT / "rules" / "variants.json")
        return super().translate_path(path)

    def end_headers(self) -> None:
        self.send_header("content-security-policy", "default-src 'self'; img-src 'self' data:")
        self.send_header("cache-control", "no-store")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        """Says nothing."""


@contextmanager
def serve_files() -> Iterator[str]:
    """The address of the site while the block runs."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(WEB)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
