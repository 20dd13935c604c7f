"""What a bot that fetches a link finds in the head of the page: where it leads, never a deal or a secret."""

import re
from html import unescape
from pathlib import Path

import httpx2
import pytest

from server.store.embedded import start_embedded
from server.web.http.tolls import WRITES
from server.web.pages import PAGES
from server.web.previews import HOME, IMAGE_SIZE, Preview, head
from tests.e2e.deals import committed, won
from tests.e2e.racing import play_line
from tests.web.site import Player, Site, lobby_of_two, race_of_two, serving

PUBLIC = "https://race.example.org"
GAME = won("beleaguered-castle")
BOT = {"User-Agent": "facebookexternalhit/1.1"}


async def told(site: Site, path: str, **headers: str) -> dict[str, str]:
    """The page's title, and its meta lines by name or property, as a bot reads them."""
    async with httpx2.AsyncClient(base_url=site.http, headers=BOT | headers) as web:
        answer = await web.get(path)
    assert answer.status_code == 200
    top = answer.text.partition("</head>")[0]
    lines = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', top)
    titles = re.findall(r"<title>([^<]*)</title>", top)
    assert len(titles) == 1
    return {"title": unescape(titles[0])} | {name: unescape(text) for name, text in lines}


async def test_every_page_says_where_it_is_and_what_it_shows_from_the_public_address(
    redis_url: str, tmp_path: Path
) -> None:
    async with serving(redis_url, tmp_path, public_url=PUBLIC) as site:
        for route in PAGES:
            path = route.replace("{rest:path}", "something")
            lines = await told(site, path)
            assert lines["og:url"] == PUBLIC + path
            assert lines["og:title"] == lines["title"] != ""
            assert lines["og:description"] == lines["description"] != ""
            assert lines["twitter:card"] == "summary_large_image"
            assert lines["og:image"].startswith(f"{PUBLIC}/")


async def test_the_picture_is_there_and_as_large_as_is_said(site: Site) -> None:
    lines = await told(site, "/")
    async with httpx2.AsyncClient(headers=BOT) as web:
        image = await web.get(lines["og:image"])
    assert image.headers["content-type"] == "image/png"
    size = (int.from_bytes(image.content[16:20]), int.from_bytes(image.content[20:24]))
    assert size == IMAGE_SIZE == (int(lines["og:image:width"]), int(lines["og:image:height"]))
    assert len(image.content) < 300_000


async def test_a_races_link_tells_the_game_and_the_free_seats_and_its_id_tells_a_stranger_nothing(site: Site) -> None:
    host, guest = await Player.join(site), await Player.join(site)
    attempt, _ = await lobby_of_two(host, guest, variant="fortress", seats=4)
    lines = await told(site, f"/r/{attempt.state['link']}")
    assert lines["og:title"] == "A race on Fortress · Ramparts"
    assert lines["og:description"].startswith("2 seats are free.")
    assert lines["robots"] == "noindex"
    assert (await told(site, f"/race/{attempt.race}"))["og:title"] == HOME.title


async def test_a_race_in_play_tells_no_card_and_a_closed_one_its_places(redis_url: str, tmp_path: Path) -> None:
    async with serving(redis_url, tmp_path, commands_per_second=10_000) as site:
        await committed(site)
        site.deals.codes.append(GAME.code)
        one, other = await Player.join(site), await Player.join(site)
        first, second = await race_of_two(one, other, variant=GAME.start.variant.id)
        path = f"/r/{first.state['link']}"
        assert (await told(site, path))["og:description"] == "The race is on. Everyone has the same deal."
        async with httpx2.AsyncClient(base_url=site.http) as web:
            page = (await web.get(path)).text
        assert GAME.code.rpartition(":")[2] not in page
        assert first.state["commitment"] not in page
        await play_line(first, GAME.line)
        await play_line(second, GAME.line[:20])
        await second.send("resign")
        winner, loser = (await one.hear("closed"))["results"]
        closed = await told(site, path)
        assert closed["og:title"] == "Beleaguered Castle: the result · Ramparts"
        names = [re.escape(line["player"]["name"]) for line in (winner, loser)]
        pattern = rf"1\. {names[0]} \(0:\d\d\.\d\) · 2\. {names[1]} \({loser['cards']} cards\)\. 2 raced\."
        assert re.fullmatch(pattern, closed["og:description"])


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/daily/2026-11-30", "The daily deals of 30 November 2026 · Ramparts"),
        ("/daily/not-a-day", "The daily deals · Ramparts"),
        ("/games/flower-garden", "Flower Garden: rules and tips · Ramparts"),
        ("/games/cruel+bottom-first", "Cruel: rules and tips · Ramparts"),
        ("/games/nothing", HOME.title),
        ("/practice/fortress:ms:11982", "Practice on Fortress · Ramparts"),
        ("/player/nobody-here", HOME.title),
        ("/race/nothing", HOME.title),
    ],
)
async def test_a_link_shows_what_it_leads_to(site: Site, path: str, title: str) -> None:
    lines = await told(site, path)
    assert lines["og:title"] == title
    assert "11982" not in lines["og:title"] + lines["og:description"]


async def test_a_daily_shows_its_day_and_a_player_the_name(site: Site) -> None:
    player = await Player.join(site)
    async with httpx2.AsyncClient(base_url=site.http) as web:
        headers = {"Authorization": f"Bearer {player.token}"}
        await web.post("/api/v1/players/me/claim", json={"name": "Zoë_7"}, headers=headers)
        today = (await web.get("/api/v1/daily/today")).json()
    assert (await told(site, "/player/zoë_7"))["og:title"] == "Zoë_7 · Ramparts"
    lines = await told(site, f"/race/{today['challenges'][0]['race']}")
    assert re.match(r"Beleaguered Castle, the daily of \d+ \w+ \d{4} · Ramparts", lines["og:title"])


async def test_markup_in_a_name_an_address_or_a_host_stays_text(site: Site) -> None:
    wicked = '"><script>alert(1)</script>'
    lines = head(Preview(wicked, wicked), "https://x.example", f"/player/{wicked}")
    assert b"<script" not in lines
    async with httpx2.AsyncClient(base_url=site.http) as web:
        page = (await web.get("/games/%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E")).text
        odd = (await web.get("/", headers={"Host": 'x"><script>alert(1)</script>'})).text
    assert "<script>alert" not in page + odd
    assert (await told(site, "/", Host="race.example.net:8443"))["og:url"] == "http://race.example.net:8443/"


async def test_the_page_comes_when_the_store_is_gone(tmp_path: Path, logged: list[object]) -> None:
    valkey = start_embedded(tmp_path / "valkey")
    try:
        async with serving(valkey.url, tmp_path) as site:
            valkey.stop()
            assert (await told(site, "/race/some-race"))["og:title"] == HOME.title
    finally:
        valkey.stop()
        logged.clear()


async def test_who_asks_for_link_after_link_gets_pages_but_the_store_is_asked_no_more(
    redis_url: str, tmp_path: Path
) -> None:
    async def title(site: Site, host: str, path: str) -> str:
        async with httpx2.AsyncClient(
            base_url=site.http, transport=httpx2.AsyncHTTPTransport(local_address=host)
        ) as web:
            answer = await web.get(path)
        assert answer.status_code == 200
        return unescape(re.findall(r"<title>([^<]*)</title>", answer.text)[0])

    async with serving(redis_url, tmp_path, unlimited_addresses=()) as site:
        attempt, _ = await lobby_of_two(await Player.join(site), await Player.join(site), variant="fortress")
        path = f"/r/{attempt.state['link']}"
        shown = "A race on Fortress · Ramparts"
        assert await title(site, "127.0.0.1", path) == shown
        titles = [await title(site, "127.0.0.1", path) for _ in range(2 * WRITES.burst)]
        assert HOME.title in titles
        assert await title(site, "127.0.0.1", "/games/fortress") == "Fortress: rules and tips · Ramparts"
        assert await title(site, "127.0.0.2", path) == shown
