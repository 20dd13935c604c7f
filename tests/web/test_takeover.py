"""One attempt, several connections: the newest plays, on whatever process, and the older ones are told."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from rules.moves import Move
from server.store.keys import SIGNED_OUT_CHANNEL
from tests.web.site import Attempt, Player, Site, lobby_of_two, race_of_two, serving


@pytest.fixture
async def sites(redis_url: str, tmp_path: Path) -> AsyncIterator[tuple[Site, Site]]:
    """Two processes' worth of servers on one Redis."""
    async with serving(redis_url, tmp_path) as one, serving(redis_url, tmp_path) as other:
        yield one, other


async def test_a_second_tab_takes_over_and_the_first_closes_with_4001(site: Site) -> None:
    first = await Player.join(site)
    attempt = await first.practise()
    await attempt.play(attempt.legal()[0])
    second = await Player.join(site, first.token)
    taken = await second.enter(attempt.race)
    assert await first.hear_close() == 4001
    assert (await taken.stored())["version"] == 1


async def test_a_takeover_across_two_processes(sites: tuple[Site, Site]) -> None:
    here, there = sites
    first = await Player.join(here)
    attempt = await first.practise()
    await attempt.play(attempt.legal()[0])
    second = await Player.join(there, first.token)
    taken = await second.enter(attempt.race)
    assert await first.hear_close() == 4001
    await taken.play(taken.legal()[0])
    assert (await taken.stored())["version"] == 2


async def test_a_takeover_in_the_lobby_closes_the_older_tab(sites: tuple[Site, Site]) -> None:
    here, there = sites
    one, other = await Player.join(here), await Player.join(here)
    first, _ = await lobby_of_two(one, other)
    again = await Player.join(there, one.token)
    await again.enter(first.race)
    assert await one.hear_close() == 4001


async def test_what_the_older_tab_sends_in_that_moment_is_not_played(sites: tuple[Site, Site]) -> None:
    here, there = sites
    first = await Player.join(here)
    attempt = await first.practise()
    # Nothing is heard of the takeover: only the store can refuse.
    here.app.state.contest.store.feed.unsubscribe(f"r:{attempt.race}")
    second = await Player.join(there, first.token)
    taken = await second.enter(attempt.race)
    await attempt.send_move(attempt.legal()[0])
    assert (await first.hear("rejected"))["code"] == "taken_over"
    assert await first.hear_close() == 4001
    assert (await taken.stored())["version"] == 0


async def test_entering_again_on_the_same_socket_keeps_it_and_goes_on(site: Site) -> None:
    player = await Player.join(site)
    attempt = await player.practise()
    await attempt.play(attempt.legal()[0])
    again = await player.enter(attempt.race)
    assert (again.version, again.last_id) == (1, 0)
    await again.play(again.legal()[0])
    await player.ping()


async def test_another_race_of_the_same_player_elsewhere_closes_nothing(site: Site) -> None:
    first = await Player.join(site)
    attempt = await first.practise(key="practice-one")
    second = await Player.join(site, first.token)
    await second.practise("fortress:ms:3", key="practice-two")
    await first.ping()
    assert (await attempt.play(attempt.legal()[0]))["version"] == 1


async def test_players_on_two_processes_race_each_other(sites: tuple[Site, Site]) -> None:
    here, there = sites
    one, other = await Player.join(here), await Player.join(there)
    first, second = await race_of_two(one, other, deal="beleaguered-castle:ms:13")
    await first.send("collect", scope="all")
    assert (await other.hear("progress"))["cards"] == 6
    await first.send("resign", version=2)
    await second.send("resign")
    assert (await one.hear("closed"))["results"] == (await other.hear("closed"))["results"]


async def test_two_who_wait_on_two_processes_are_matched(sites: tuple[Site, Site]) -> None:
    here, there = sites
    one, other = await Player.join(here), await Player.join(there)
    await one.say("queue", variant="fortress")
    await one.hear("queued")
    await other.say("queue", variant="fortress")
    assert (await one.hear("matched"))["race"] == (await other.hear("matched"))["race"]


async def test_a_move_made_on_the_older_tab_and_answered_is_there_after_the_takeover(sites: tuple[Site, Site]) -> None:
    here, there = sites
    first = await Player.join(here)
    attempt = await first.practise()
    moves: list[Move] = []
    for _ in range(5):
        moves.append(attempt.legal()[0])
        await attempt.play(moves[-1])
        attempt.take((await attempt.stored())["position"])
    second = await Player.join(there, first.token)
    taken: Attempt = await second.enter(attempt.race)
    assert (taken.version, taken.position) == (5, attempt.position)


async def test_a_match_that_was_missed_is_found_when_the_feed_is_back(sites: tuple[Site, Site]) -> None:
    here, there = sites
    one, other = await Player.join(here), await Player.join(there)
    await one.say("queue", variant="fortress")
    await one.hear("queued")
    feed = here.app.state.contest.store.feed
    hear = feed._hearers[f"p:{one.id}"]
    feed.unsubscribe(f"p:{one.id}")
    await other.say("queue", variant="fortress")
    race = (await other.hear("matched"))["race"]
    await one.ping()
    assert "matched" not in {frame["type"] for frame in one.seen}
    await feed.subscribe(f"p:{one.id}", hear)
    feed.on_gap()
    assert (await one.hear("matched"))["race"] == race
    await one.hear("snapshot", race=race)


@pytest.mark.parametrize("is_deleted", [False, True])
async def test_who_is_recovered_or_deleted_is_signed_out_on_every_process_at_once(
    sites: tuple[Site, Site], is_deleted: bool
) -> None:
    here, there = sites
    first, other = await Player.join(here), await Player.join(here)
    contest = there.app.state.contest
    code = await contest.players.claim(first.id, "Anna")
    attempt = await first.practise()
    await attempt.play(attempt.legal()[0])
    if is_deleted:
        await contest.delete(first.id)
        assert await first.hear_close() in (4001, 4003)
    else:
        await contest.players.recover("Anna", code)
        assert await first.hear_close() == 4003
    again = Player(await here.open_socket())
    await again.say("hello", protocol=1, token=first.token)
    assert (await again.hear("error"))["code"] == "token_unknown"
    await other.say("ping", id=1)
    await other.hear("pong", id=1)


async def test_who_is_deleted_while_their_hello_is_on_its_way_is_signed_out(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, other = await Player.join(site), await Player.join(site)
    contest = site.app.state.contest
    greet = contest.hello

    async def greet_and_lose(*told: object) -> object:
        greeting = await greet(*told)
        await contest.delete(first.id)
        assert await first.hear_close() == 4003
        return greeting

    monkeypatch.setattr(contest, "hello", greet_and_lose)
    again = Player(await site.open_socket())
    await again.say("hello", protocol=1, token=first.token)
    assert await again.hear_close() == 4003
    await other.ping()


async def test_who_was_recovered_or_deleted_while_the_feed_was_down_is_signed_out_when_it_is_back(
    sites: tuple[Site, Site],
) -> None:
    here, there = sites
    recovered, deleted, other = [await Player.join(here) for _ in range(3)]
    contest, feed = there.app.state.contest, here.app.state.contest.store.feed
    code = await contest.players.claim(recovered.id, "Anna")
    hear = feed._hearers[SIGNED_OUT_CHANNEL]
    feed.unsubscribe(SIGNED_OUT_CHANNEL)
    _, token = await contest.players.recover("Anna", code)
    await contest.delete(deleted.id)
    again = await Player.join(here, token)
    for player in (recovered, deleted):
        await player.ping()
    await feed.subscribe(SIGNED_OUT_CHANNEL, hear)
    feed.on_gap()
    assert [await player.hear_close() for player in (recovered, deleted)] == [4003, 4003]
    for player in (again, other):
        await player.ping()
