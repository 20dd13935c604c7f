"""The clock: never back, slowly after its reference, and not after one that steps."""

import asyncio

import pytest

from server.clock import MAX_STEP_MS, Clock


class World:
    """A time that passes when told, and a reference that may be off and slow."""

    def __init__(self) -> None:
        self.up = 5_000.0
        self.reference_ms = 1_800_000_000_000.0
        self.took_ms = 0.2
        self.reads = 0

    def pass_ms(self, ms: float, *, reference: float | None = None) -> None:
        self.up += ms
        self.reference_ms += ms if reference is None else reference

    async def read_us(self) -> int:
        self.reads += 1
        self.pass_ms(self.took_ms / 2)
        read = self.reference_ms
        self.pass_ms(self.took_ms / 2)
        return round(read * 1000)

    def clock(self) -> Clock:
        return Clock(self.read_us, lambda: self.up)


async def synced(world: World) -> Clock:
    clock = world.clock()
    await clock.sync()
    return clock


def ahead(clock: Clock, world: World) -> float:
    return clock.now_ms() - world.reference_ms


async def test_it_tells_the_references_time() -> None:
    world = World()
    clock = await synced(world)
    assert abs(ahead(clock, world)) <= 1
    world.pass_ms(1_234)
    assert abs(ahead(clock, world)) <= 1


async def test_it_tells_nothing_before_the_first_look() -> None:
    with pytest.raises(RuntimeError):
        World().clock().now_ms()


async def test_a_slow_answer_counts_less_than_a_quick_one() -> None:
    world = World()
    times = iter([40.0, 0.2, 90.0, 60.0, 50.0])

    async def read_us() -> int:
        took = next(times)
        world.pass_ms(took * 0.9)
        read = world.reference_ms
        world.pass_ms(took * 0.1)
        return round(read * 1000)

    clock = Clock(read_us, lambda: world.up)
    await clock.sync()
    assert abs(ahead(clock, world)) <= 1


async def test_a_drift_is_followed_slowly_and_never_back() -> None:
    world = World()
    clock = await synced(world)
    for off in (+30.0, -30.0):
        world.reference_ms += off
        await clock.sync()
        assert clock.is_steady
        assert clock.drift_ms == pytest.approx(off, abs=1.5)
        last = clock.now_ms()
        for _ in range(100):
            world.pass_ms(100)
            now = clock.now_ms()
            assert 99 <= now - last <= 102
            last = now
        assert abs(ahead(clock, world)) <= 2


async def test_it_does_not_run_past_its_reference_when_that_falls_silent() -> None:
    world = World()
    clock = await synced(world)
    world.reference_ms += 10
    await clock.sync()
    world.pass_ms(3_600_000)
    assert abs(ahead(clock, world)) <= 2


@pytest.mark.parametrize("step", [MAX_STEP_MS + 10, -MAX_STEP_MS - 10, 3_600_000.0])
async def test_a_step_is_not_followed_but_told(step: float) -> None:
    world = World()
    clock = await synced(world)
    world.reference_ms += step
    await clock.sync()
    assert clock.drift_ms == pytest.approx(step, abs=1.5)
    assert not clock.is_steady
    world.pass_ms(60_000)
    assert abs(ahead(clock, world) + step) <= 2
    world.reference_ms -= step
    await clock.sync()
    assert clock.is_steady


async def test_a_look_that_took_too_long_changes_nothing() -> None:
    world = World()
    clock = await synced(world)
    world.took_ms = 400.0
    world.reference_ms += 45
    seen = clock.synced_up_ms
    await clock.sync()
    assert (clock.drift_ms, clock.synced_up_ms) == (0.0, seen)


async def test_it_goes_on_when_the_reference_cannot_be_asked() -> None:
    world = World()
    clock = await synced(world)
    failing = True

    async def read_us() -> int:
        if failing:
            raise ConnectionError
        return await world.read_us()

    clock._read_us = read_us
    running = asyncio.create_task(clock.run(pause_s=0.001, lost=ConnectionError))
    await asyncio.sleep(0.01)
    before = world.reads
    assert abs(ahead(clock, world)) <= 1
    failing = False
    await asyncio.sleep(0.02)
    running.cancel()
    assert world.reads > before
