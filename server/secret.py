"""The one secret of an installation: made at the first start and kept with the data, readable by its owner only."""

import os
import secrets
from pathlib import Path

FILE = "secret"
BYTES = 32


def load_secret(folder: Path) -> bytes:
    """The secret kept in this folder; makes it if there is none. OSError when it can't be kept."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / FILE
    made = folder / f"{FILE}.{os.getpid()}"
    if not path.exists():
        made.touch(mode=0o600)
        made.write_text(secrets.token_hex(BYTES) + "\n", "ascii")
        try:
            # Of two processes that start at once one is first; a half-written file is never seen.
            path.hardlink_to(made)
        except FileExistsError:
            pass
        finally:
            made.unlink()
    return bytes.fromhex(path.read_text("ascii").strip())
