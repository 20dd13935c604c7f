"""Which races a connection follows: by which name, how many, and how it lets go of one."""

import pytest

from server.store import StoreUnavailable
from server.web import desk
from tests.web.site import Player, Site, lobby_of_two, race_of_two


async def followed(site: Site, player: Player) -> list[str]:
    """The races that the server follows for this connection."""
    await player.ping()
    conversations = site.app.state.running.socket._conversations
    [own] = [one for one in conversations if one.line.player and one.line.player.id == player.id]
    return list(own._desk._followed)


async def test_unwatch_is_answered_and_lets_go_of_a_closed_race_of_one_s_own(site: Site) -> None:
    player = await Player.join(site)
    attempt = await player.practise()
    await attempt.send("resign")
    await player.hear("closed")
    await player.say("unwatch", race=attempt.race)
    assert (await player.hear("unwatched"))["race"] == attempt.race
    assert await followed(site, player) == []


async def test_unwatching_a_race_that_one_plays_in_says_so_to_the_others_and_enter_comes_back(site: Site) -> None:
    one, other = await Player.join(site), await Player.join(site)
    first, _ = await race_of_two(one, other)
    await first.play(first.legal()[0])
    await one.say("unwatch", race=first.race)
    await one.hear("unwatched")
    assert (await other.hear("presence", here=False))["player"] == one.id
    await first.send("restart")
    assert (await one.hear("error"))["code"] == "not_entered"
    again = await one.enter(first.race)
    assert again.version == 1


@pytest.mark.parametrize("command", ["resync", "unwatch"])
async def test_what_is_watched_by_its_link_can_be_called_by_it(site: Site, command: str) -> None:
    one, other, watcher = [await Player.join(site) for _ in range(3)]
    first, _ = await lobby_of_two(one, other)
    link = first.state["link"]
    await watcher.say("watch", race=link)
    await watcher.hear("snapshot", re=link)
    await watcher.say(command, race=link)
    answer = await watcher.hear_any()
    while answer["type"] == "presence":
        answer = await watcher.hear_any()
    assert (answer["type"], answer["race"]) == ("snapshot" if command == "resync" else "unwatched", first.race)


async def test_a_watch_by_link_that_fails_leaves_the_race_followed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = await Player.join(site), await Player.join(site)
    first, _ = await lobby_of_two(one, other)

    async def gone(*_: object) -> None:
        raise StoreUnavailable("gone")

    with monkeypatch.context() as patched:
        patched.setattr(site.app.state.contest, "snapshot", gone)
        await one.say("watch", race=first.state["link"])
        assert (await one.hear("error"))["code"] == "retry"
    await other.say("ready", race=first.race, ready=True)
    assert (await one.hear("ready"))["player"] == other.id


async def test_being_ready_twice_by_link_is_answered(site: Site) -> None:
    one, other = await Player.join(site), await Player.join(site)
    first, _ = await lobby_of_two(one, other)
    await one.say("ready", race=first.state["link"], ready=True)
    await one.hear("ready")
    await one.say("ready", race=first.state["link"], ready=True)
    assert (await one.hear("snapshot"))["race"] == first.race


async def test_who_leaves_by_link_is_told_and_can_enter_another_race(site: Site) -> None:
    one, other = await Player.join(site), await Player.join(site)
    first, _ = await lobby_of_two(one, other)
    await other.say("leave", race=first.state["link"])
    assert (await other.hear("left"))["player"] == other.id
    assert await site.app.state.contest.store.players.live(other.id) is None


async def test_a_connection_follows_so_many_races_and_closed_ones_make_room(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "MAX_FOLLOWED", 2)
    player = await Player.join(site)
    one = await player.practise(key="practice-one")
    two = await player.practise(key="practice-two")
    await player.say("create", key="practice-three", kind="practice", deal="fortress:ms:3")
    refused = await player.hear("error")
    assert (refused["code"], refused["key"]) == ("busy", "practice-three")
    await two.send("resign")
    await player.hear("closed")
    three = await player.practise(key="practice-three")
    assert await followed(site, player) == [one.race, three.race]
