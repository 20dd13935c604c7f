"""Finds the Chromium that the browser tests run in, and installs one where there is none: `make browser`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_NAMES = ("chromium", "chromium-browser", "google-chrome")


def find_chromium() -> Path | None:
    """A Chromium of the machine, or the one that Playwright downloaded; None if there is neither."""
    chosen = os.environ.get("RAMPARTS_CHROMIUM")
    for name in (chosen,) if chosen else _NAMES:
        found = shutil.which(name)
        if found:
            return Path(found)
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", Path.home() / ".cache" / "ms-playwright"))
    return next(iter(sorted(cache.glob("chromium-*/chrome-linux*/chrome"), reverse=True)), None)


def install_chromium() -> Path:
    """Debian's package where we may install it, else the one of Playwright."""
    found = find_chromium()
    if found is None and shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"]
        subprocess.run(["apt-get", "update", "-qq"], check=False, stdout=subprocess.DEVNULL)
        subprocess.run(install, check=False, stdout=subprocess.DEVNULL)
        found = find_chromium()
    if found is None:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)
        found = find_chromium()
    if found is None:
        raise RuntimeError("there is no Chromium: install one and name it in RAMPARTS_CHROMIUM")
    return found


if __name__ == "__main__":
    print(install_chromium())  # noqa: T201 - a command
