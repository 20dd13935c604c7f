"""Plants one fault after the other into a copy of the source and shows that a test catches each.

`mutants.toml` lists them: a name, the file, the text that is replaced (it must stand there exactly once), what by, and
the tests that must fail. Exits 1 if a fault survives, or if the tests fail without any.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = Path(__file__).with_name("mutants.toml")
SECONDS = 900


@dataclass(frozen=True, slots=True)
class Mutant:
    """One planted fault."""

    name: str
    file: str
    find: str
    replace: str
    tests: tuple[str, ...]


def load_catalogue() -> list[Mutant]:
    """The planted faults."""
    entries = tomllib.loads(CATALOGUE.read_text())["mutant"]
    return [Mutant(**{**entry, "tests": tuple(entry["tests"])}) for entry in entries]


def copy_tree(target: Path) -> None:
    """Copies what git knows or would add."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        source = ROOT / name
        if source.is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name)


def run_tests(tree: Path, tests: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """Runs the tests in a copy of the source, which comes before the installed one on the path."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command, cwd=tree, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )


def try_mutant(mutant: Mutant) -> str | None:
    """What is wrong: None if the fault was caught."""
    with tempfile.TemporaryDirectory(prefix="ramparts-mutant-") as folder:
        tree = Path(folder)
        copy_tree(tree)
        path = tree / mutant.file
        text = path.read_text()
        if text.count(mutant.find) != 1:
            return f"the text to replace stands {text.count(mutant.find)} times in {mutant.file}"
        path.write_text(text.replace(mutant.find, mutant.replace))
        ran = run_tests(tree, mutant.tests)
        if ran.returncode == 1:
            return None
        return (
            "it survived" if ran.returncode == 0 else f"the tests did not run:\n{ran.stdout[-2000:]}{ran.stderr[-500:]}"
        )


def main() -> int:
    """Tries all, or those whose name holds the first argument."""
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    mutants = [mutant for mutant in load_catalogue() if wanted in mutant.name]
    tests = tuple(sorted({test for mutant in mutants for test in mutant.tests}))
    sound = run_tests(ROOT, tests)
    if sound.returncode != 0:
        print(f"the tests fail without any fault:\n{sound.stdout[-3000:]}", file=sys.stderr)
        return 1
    survived = 0
    with ThreadPoolExecutor(max_workers=2) as pool:
        for mutant, problem in zip(mutants, pool.map(try_mutant, mutants), strict=True):
            survived += problem is not None
            print(
                f"{'SURVIVED' if problem else 'caught  '}  {mutant.name}{f': {problem}' if problem else ''}", flush=True
            )
    print(f"{len(mutants) - survived} of {len(mutants)} planted faults caught")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
