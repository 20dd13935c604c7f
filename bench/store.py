"""What one append costs: CPU of this process and of the embedded server, by how many commands leave in one write.

python -m bench.store [appends]
"""

import sys
import tempfile
import time
from pathlib import Path

import uvloop

from server.store import Store, open_store
from server.store.attempts import Appended
from server.store.embedded import Embedded, start_embedded

BATCHES = (1, 10, 100)


def server_cpu_us(embedded: Embedded) -> float:
    """User and system time of the server so far."""
    fields = Path(f"/proc/{embedded.server_pid}/schedstat").read_text("ascii").split()
    return int(fields[0]) / 1000


async def append_rounds(store: Store, race: str, batch: int, rounds: int) -> None:
    """`batch` attempts appended to at once, `rounds` times, as moves of a race are; each tenth move builds."""
    attempts = [f"{race}.p{number}" for number in range(batch)]
    for name in attempts:
        await store.attempts.enter(name, player="p", race=race, now_ms=0)
    for version in range(rounds):
        outcomes = [
            store.attempts.append(
                name,
                epoch=1,
                version=version,
                id=version + 1,
                at_ms=10 * version,
                limit_ms=10**9,
                left=None if version % 10 else max(0, 52 - version // 10),
                end=None,
                lines=("t3-t5",),
                max_entries=10**6,
            )
            for name in attempts
        ]
        for outcome in outcomes:
            if not isinstance(await outcome, Appended):
                raise TypeError(outcome)


async def measure(embedded: Embedded, appends: int) -> None:
    """Prints one line for each batch size."""
    store = await open_store(embedded.url)
    print("batch   client us/append   server us/append   appends/s")
    for batch in BATCHES:
        rounds = appends // batch if batch > 1 else appends // 10
        await append_rounds(store, f"warm{batch}", batch, 20)
        began, client, server = time.perf_counter(), time.process_time(), server_cpu_us(embedded)
        await append_rounds(store, f"race{batch}", batch, rounds)
        done = batch * rounds
        passed, client = time.perf_counter() - began, time.process_time() - client
        server = server_cpu_us(embedded) - server
        print(f"{batch:5}{client / done * 1e6:19.1f}{server / done:19.1f}{done / passed:12.0f}")
    stats = await store.link.call("INFO", "commandstats")
    print(*(line for line in stats.splitlines() if "fcall" in line), sep="\n")
    await store.close()


def main() -> None:
    """Runs the benchmark on a server of its own."""
    appends = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    with tempfile.TemporaryDirectory() as folder:
        embedded = start_embedded(Path(folder) / "data")
        try:
            uvloop.run(measure(embedded, appends))
        finally:
            embedded.stop()


if __name__ == "__main__":
    main()
