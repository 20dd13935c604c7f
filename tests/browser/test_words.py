"""The catalogues: every key that the code asks for has words, and no language lacks a text."""

import re

from playwright.async_api import Page

from tests.browser.site import WEB

ASKED = re.compile(r"""\bt\(\s*"([\w.-]+)\"""")
KEY = re.compile(r"""\"([a-z_]+(?:\.[\w-]+)+)\"""")
"""What looks like a key; it is one if an area of the catalogue is called so."""
SAME_IN_GERMAN = {"bot", "lobby.copied", "example.no", "games.search.example", "stats.median", "col.player"}


async def catalogue(page: Page, files: str, language: str) -> dict[str, str]:
    await page.goto(f"{files}/tests/blank.html")
    words: dict[str, str] = await page.evaluate(
        """async (language) => {
            const [site, games] = await Promise.all(
                ['index', 'games'].map((part) => import(`/js/words/${language}/${part}.js`)));
            return { ...site.default, ...games.default };
        }""",
        language,
    )
    return words


async def test_every_text_that_the_code_asks_for_is_in_the_catalogue(page: Page, files: str) -> None:
    words = await catalogue(page, files, "en")
    known = set(words) | {key.removesuffix(".other") for key in words}
    areas = {key.split(".")[0] for key in words}
    code = [path.read_text("utf-8") for path in (WEB / "js").rglob("*.js") if "words" not in path.parts]
    asked = {key for text in code for key in ASKED.findall(text)}
    asked |= {key for text in code for key in KEY.findall(text) if key.split(".")[0] in areas}
    assert len(asked) > 250
    assert asked - known == set()


async def test_german_is_complete(page: Page, files: str) -> None:
    english, german = await catalogue(page, files, "en"), await catalogue(page, files, "de")
    assert set(english) - set(german) == set()
    assert set(german) - set(english) == set()
    untranslated = {key for key in english if english[key] == german[key] and len(english[key]) > 3}
    assert untranslated - SAME_IN_GERMAN == set()


async def test_every_translation_fills_in_the_same_values(page: Page, files: str) -> None:
    english, german = await catalogue(page, files, "en"), await catalogue(page, files, "de")
    values = re.compile(r"\{(\w+)\}")
    wrong = {key for key in english if set(values.findall(english[key])) != set(values.findall(german[key]))}
    assert wrong == set()


async def test_every_rule_sentence_of_every_game_has_words_and_true_examples(page: Page, files: str) -> None:
    await page.goto(f"{files}/tests/blank.html")
    problems = await page.evaluate(
        """async () => {
            const { catalogue } = await import('/tests/layout_check.js');
            const { ruleSentences } = await import('/js/guides/sentences.js');
            const { refusal } = await import('/js/rules.js');
            const problems = [];
            let examples = 0;
            for (const id of catalogue.records.keys()) {
                const variant = catalogue.find(id);
                for (const { key, text, example } of ruleSentences(variant)) {
                    if (/rule\\.|match\\.|build\\.|[{}]|undefined/.test(text)) problems.push(`${id} ${key}: ${text}`);
                    if (!example) continue;
                    examples += 1;
                    const yes = example.yes && refusal(example.position, example.yes);
                    if (!example.yes && !example.no) problems.push(`${id} ${key}: an example of nothing`);
                    if (yes !== null) problems.push(`${id} ${key}: the example is refused: ${yes}`);
                    const no = example.no && refusal(example.position, example.no);
                    if (example.no && no === null) problems.push(`${id} ${key}: the opposite is allowed`);
                }
            }
            return examples > 120 ? problems : [`only ${examples} examples`];
        }"""
    )
    assert problems == []
