"""What a name looks like: names with equal look-alike keys can be taken for one another, whatever they are written in.

The table is our own, drawn up for the scripts that `names` lets in. It joins generously: a name refused for looking
like another costs its owner a second try, an impostor costs everybody more.
"""

import re
import unicodedata
from functools import lru_cache

_PAIRS = (
    # Digits and Latin letters among themselves; `m` is spelled `rn` and `w` is spelled `vv`.
    "0o 1l il 2z 5s æae œoe þp ðd ŋn ĸk əe ɩl ʊu ʋv ʒ3 ȝ3 ɣy ȣ8 ƅb ƨs ƽs ƿp ƻz ɯvv ƕh ƣo ɛe ɔc ɲn ɖd ɗd ɓb",
    # Cyrillic
    "аa вb гr еe з3 иu кk нh оo пn рp сc тt уy хx цu ьb э3 б6 ѕs іl јj ђh ћh џu єe ғf қk ңh үy ұy ҫc ҳx һh ӏl ԁd",
    "ԛq ѵv өo ҭt ҝk ӄk ҟk әe ґr ҡk ӊh ӈh ҥh ԧh ԍg ҽe ҿe ѳo ҏp ӿx ӽx ҙ3 ӡ3 лn ыbl юlo шvv щvv ԝvv ѡvv мrn",
    # Greek
    "αa βb γy εe ζz ηn θo ιl κk μu νv οo πn ρp σo ςo τt υu χx ωvv ϳj ϸp ϙo ϝf",
    # Armenian, Georgian
    "աvv բp գq զq լl խlu հh յj նu ոn պvv ռn սu վu տun րn ցg ւl փo քp օo ֆo ղn եt էt ყy ծo ძd ხb ვ3 გa",
    # Hebrew, Arabic
    "וl ןl יl חn סo םo טu اl هo ھo ەo ةo يی ىی كک ڪک",
    # Round and straight letters of other scripts; Thai's doubled vowel
    "ဝo ଠo ഠo ටo ዐo ሀu በn ሠvv ዘh ተt ട3 ແເເ แเเ",
    # Kana and the ideographs that look like them
    "へヘ りリ 口ロ 囗ロ 力カ 二ニ 夕タ 卜ト 工エ 八ハ 千チ 三ミ 才オ 一ー 丿ノ ンソ ツシ 土士 末未 日曰 己巳 已巳",
    "ぁあ ぃい ぅう ぇえ ぉお っつ ゃや ゅゆ ょよ ゎわ ァア ィイ ゥウ ェエ ォオ ッシ ャヤ ュユ ョヨ ヮワ ヵカ ヶケ",
)
_TABLE = {pair[0]: pair[1:] for line in _PAIRS for pair in line.split()} | {"m": "rn", "w": "vv"}
_MARKS_DROPPED = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "GEORGIAN", "HEBREW", "ARABIC")
_LATIN_LETTER = re.compile(
    r"LATIN (?:SMALL LETTER|LETTER SMALL CAPITAL) (?:(?:AFRICAN|OPEN|TURNED|REVERSED|DOTLESS) )?([A-Z])(?: WITH .+)?$"
)


@lru_cache(maxsize=4096)
def _look(letter: str) -> str:
    if letter in _TABLE:
        return _TABLE[letter]
    latin = None if letter.isascii() else _LATIN_LETTER.match(unicodedata.name(letter, ""))
    return _look(latin[1].lower()) if latin else letter


def look_alike_key(name: str) -> str:
    """The same text for all names that look alike: case, accents, `-` and `_` do not count.

    Names whose keys are equal can't both be claimed. The key is for comparing and never shown.
    """
    looks: list[str] = []
    drops_marks = False
    for letter in unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold()):
        if unicodedata.category(letter) == "Mn":
            if not drops_marks:
                looks.append(letter)
            continue
        drops_marks = unicodedata.name(letter, "").startswith(_MARKS_DROPPED)
        if letter not in "-_":
            looks.append(_look(letter))
    return "".join(looks)
