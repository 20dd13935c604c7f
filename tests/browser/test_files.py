"""The client's files over HTTP: strict headers, kept for ever under their version, never a part of another version."""

import gzip
import re

import httpx2
import pytest

from server.web.pages import PAGES, Pages, modules_of, read_files, version_of
from tests.web.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_every_page_address_gets_the_page_with_a_strict_policy(site: Site) -> None:
    async with httpx2.AsyncClient(base_url=site.http) as web:
        for path in PAGES:
            answer = await web.get(path.replace("{rest:path}", "something"))
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith("text/html")
            policy = answer.headers["content-security-policy"]
            assert "default-src 'self'" in policy
            assert "unsafe" not in policy
            assert answer.headers["cache-control"] == "no-cache"
            assert not re.search(r"<script>|\sstyle=|\son\w+=", answer.text)


async def test_an_address_without_a_page_is_answered_404_by_a_page_to_browsers_alone(site: Site) -> None:
    async with httpx2.AsyncClient(base_url=site.http) as web:
        for path in ("/nope", "/players/x"):
            shown = await web.get(path, headers={"Accept": "text/html,*/*"})
            assert (shown.status_code, shown.headers["content-type"].split(";")[0]) == (404, "text/html")
            assert "default-src 'self'" in shown.headers["content-security-policy"]
            assert (await web.get(path, headers={"Accept": "*/*"})).headers["content-type"].startswith("text/plain")
        of_api = await web.get("/api/v1/nope", headers={"Accept": "text/html"})
        assert (of_api.status_code, of_api.json()["code"]) == (404, "not_found")


async def test_a_file_is_kept_for_ever_and_a_known_one_is_not_sent_again(site: Site) -> None:
    async with httpx2.AsyncClient(base_url=site.http) as web:
        page = (await web.get("/")).text
        main = re.search(r'src="(/app/[0-9a-f]{12}/js/main.js)"', page)
        assert main
        answer = await web.get(main[1], headers={"Accept-Encoding": "gzip"})
        assert answer.headers["content-encoding"] == "gzip"
        assert "immutable" in answer.headers["cache-control"]
        again = await web.get(main[1], headers={"If-None-Match": answer.headers["etag"]})
        assert again.status_code == 304
        assert again.content == b""


async def test_a_part_of_another_version_is_not_there(site: Site) -> None:
    async with httpx2.AsyncClient(base_url=site.http) as web:
        for path in ("/app/000000000000/js/main.js", "/app/../pyproject.toml", "/app/x/../../pyproject.toml"):
            answer = await web.get(path)
            assert answer.status_code == 404
        version = version_of(read_files())
        assert (await web.get(f"/app/{version}/js/nothing.js")).status_code == 404
        assert (await web.get(f"/app/{version}/%2e%2e/pyproject.toml")).status_code == 404


async def test_the_page_names_every_module_of_the_first_view(site: Site) -> None:
    modules = modules_of(read_files(), "js/main.js", "js/pages/home.js")
    assert {"js/app.js", "js/state.js", "js/rules/play.js", "vendor/lit-html/lit-html.js"} <= set(modules)
    assert "js/words/en/index.js" in modules
    assert not {name for name in modules if name.startswith("js/words/de") or name.endswith("en/games.js")}
    async with httpx2.AsyncClient(base_url=site.http) as web:
        page = (await web.get("/")).text
    assert page.count('rel="modulepreload"') == len(modules)


async def test_the_version_changes_with_any_file() -> None:
    files = read_files()
    changed = files | {"css/base.css": files["css/base.css"] + b"\n"}
    assert version_of(files) != version_of(changed)
    assert Pages(files).version == version_of(files)


async def test_the_records_of_the_variants_are_among_the_files(site: Site) -> None:
    async with httpx2.AsyncClient(base_url=site.http) as web:
        answer = await web.get(f"/app/{version_of(read_files())}/variants.json")
    assert len(answer.json()["variants"]) >= 23


async def test_the_client_packed_weighs_little() -> None:
    files = read_files()
    code = sum(len(gzip.compress(body)) for name, body in files.items() if name.endswith((".js", ".css", ".html")))
    assert code < 202_000
