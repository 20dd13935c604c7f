"""Builds the solver's C kernel into `solver/` where a C compiler is there. Without one all works, only slower."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FLAGS = ("-O3", "-std=c99", "-shared", "-fPIC", "-fvisibility=hidden")
MOST_SECONDS = 120


def build_kernel(root: Path) -> Path | None:
    """The library made from the checkout at `root`, or None where it can't be made; the reason goes to stderr."""
    folder = root / "solver" / "kernel"
    compiler = next(filter(None, (shutil.which(name) for name in (os.environ.get("CC", "cc"), "gcc", "clang"))), None)
    if compiler is None or sys.platform == "win32" or not folder.exists():
        print("ramparts: no C compiler, the solver will run in Python", file=sys.stderr)
        return None
    library = root / "solver" / "_kernel.so"
    fresh = library.with_name(f"_kernel.{os.getpid()}.so")
    command = [compiler, *FLAGS, "-o", str(fresh), str(folder / "kernel.c")]
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=MOST_SECONDS)  # noqa: S603
    except (subprocess.SubprocessError, OSError) as error:
        fresh.unlink(missing_ok=True)
        print(f"ramparts: the kernel was not built, the solver will run in Python: {error}", file=sys.stderr)
        return None
    fresh.replace(library)  # whole at once: another process may be loading it
    return library


class KernelHook(BuildHookInterface[Any]):
    """Runs for wheels and for editable installs."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Builds; a plain wheel carries the library and is then for one platform only."""
        library = build_kernel(Path(self.root))
        if library is not None and version != "editable":
            build_data["force_include"][str(library)] = "solver/_kernel.so"
            build_data["pure_python"] = False
            build_data["infer_tag"] = True


if __name__ == "__main__":
    sys.exit(build_kernel(Path(__file__).parent) is None)
