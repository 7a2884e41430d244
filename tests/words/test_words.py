"""The languages: every phrase is in the catalogues, and nothing else is."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

import quinconce
from quinconce.core.counts import plies
from quinconce.core.phrase import Phrase
from quinconce.words import LANGUAGES, Voice, preferred_language
from quinconce.words.browser import browser_phrases

PACKAGE = Path(quinconce.__file__).parent
ROOT = Path(__file__).parents[2]
TRANSLATED = [name for name in LANGUAGES if name != "en"]


def catalogue(name: str) -> Catalog:
    with (PACKAGE / "words" / name / "LC_MESSAGES" / "quinconce.po").open("rb") as file:
        return read_po(file, locale=name)


def templates() -> set[str]:
    """Every text that stands in `_(…)` or `ngettext(…)` in the sources and templates."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Name("_" | "ngettext"), [ast.Constant(str(text)), *_rest]):
                    found.add(text)
    for path in PACKAGE.rglob("*.html"):
        found |= set(re.findall(r'\b(?:_|ngettext)\("([^"]*)"', path.read_text(encoding="utf-8")))
    return found


# A number before one of these words needs its plural; a number that is never one stands alone.
COUNTABLE = (
    "answers|balls|bytes|cells|characters|days|games|hints|jobs|matches|megabytes|moves|pawns|pieces"
    "|players|plies|positions|puzzles|records|replies|rows|seats|turns"
)


def calls() -> Iterator[ast.Call]:
    """Every mark of a phrase in the sources."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Name("_" | "ngettext")):
                    yield node


def test_a_mark_marks_a_literal() -> None:
    for call in calls():
        assert isinstance(call.args[0], ast.Constant), ast.unparse(call)


def test_a_phrase_that_counts_has_a_plural() -> None:
    counting = re.compile(rf"\{{(?!colour)\w+(:[^}}]*)?\}}( \{{\w+\}})? ({COUNTABLE})\b")
    for call in calls():
        match call:
            case ast.Call(ast.Name("_"), [ast.Constant(str(text)), *_rest]):
                assert not counting.search(text), text
    for path in PACKAGE.rglob("*.html"):
        for text in re.findall(r'\b_\("([^"]*)"', path.read_text(encoding="utf-8")):
            assert not counting.search(text), text


@pytest.mark.parametrize(
    ("n", "english", "french"),
    [
        (0, "0 plies", "0 demi-coup"),
        (1, "1 ply", "1 demi-coup"),
        (2, "2 plies", "2 demi-coups"),
        (1234567, "1,234,567 plies", "1\u202f234\u202f567 demi-coups"),
    ],
)
def test_plurals_and_numbers_are_those_of_the_language(n: int, english: str, french: str) -> None:
    assert str(plies(n)) == Voice("en")(plies(n)) == english
    assert Voice("fr")(plies(n)) == french
    inside = Phrase("{asked}, at full width", asked=plies(n))
    assert Voice("fr")(inside).startswith(french)


def test_fractions_and_shares_are_those_of_the_language() -> None:
    phrase = Phrase("{a:.1f} {b:.1%} {c:g} {d}", a=1234.56, b=0.123, c=2.5, d="1,000.5")
    assert Voice("en")(phrase) == str(phrase) == "1,234.6 12.3% 2.5 1,000.5"
    assert Voice("fr")(phrase) == "1\u202f234,6 12,3\u00a0% 2,5 1,000.5"


def test_a_browser_gets_both_forms_of_a_phrase_that_counts() -> None:
    read = browser_phrases(Voice("fr"))["read"]
    assert read == {"one": "{n} coup lu.", "other": "{n} coups lus."}
    assert browser_phrases(Voice("en"))["agree"] == "Agree"


def fields(text: str) -> set[str | None]:
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(text) if name}


def messages(name: str) -> list[Message]:
    return [message for message in catalogue(name) if message.id]


@pytest.mark.slow
def test_babel_finds_every_phrase() -> None:
    """Babel does not look into f-strings, for one."""
    with (ROOT / "tools" / "babel.cfg").open() as file:
        mapping, _options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]
    extracted = {
        message if isinstance(message, str) else message[0]
        for _file, _line, message, _comments, _context in extract_from_dir(PACKAGE, mapping)
    }
    assert extracted == templates()


def plain(pair: tuple[Any, Any]) -> list[list[str]]:
    """A text and its translation, each with its plural if it has one."""
    return [[half] if isinstance(half, str) else list(half) for half in pair]


@pytest.mark.parametrize("name", TRANSLATED)
def test_every_phrase_is_in_the_catalogue_and_no_other(name: str) -> None:
    ids = {
        message.id if isinstance(message.id, str) else message.id[0] for message in messages(name)
    }
    assert ids == templates()


@pytest.mark.parametrize("name", TRANSLATED)
def test_every_phrase_is_translated_with_the_same_fields(name: str) -> None:
    for message in messages(name):
        assert not message.fuzzy, message.id
        for original, translation in zip(*plain((message.id, message.string)), strict=True):
            assert translation, original
            if "%(" not in original:
                assert fields(original) == fields(translation), original
            assert original.endswith(" ") == translation.endswith(" "), original


@pytest.mark.parametrize("name", TRANSLATED)
def test_the_compiled_catalogue_is_that_of_the_text(name: str) -> None:
    folder = PACKAGE / "words" / name / "LC_MESSAGES"
    with (folder / "quinconce.mo").open("rb") as file:
        compiled = [(message.id, message.string) for message in read_mo(file) if message.id]
    written = [(message.id, message.string) for message in messages(name)]
    assert sorted(map(repr, map(plain, compiled))) == sorted(map(repr, map(plain, written)))


@pytest.mark.parametrize(
    ("environ", "spoken"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "C", "LANG": "fr_FR.UTF-8"}, "en"),
        ({"LC_MESSAGES": "fr_CA", "LANG": "en_GB"}, "fr"),
        ({"QUINCONCE_LANG": "fr", "LANG": "en_GB.UTF-8"}, "fr"),
        ({"QUINCONCE_LANG": "EN", "LC_ALL": "fr_FR.UTF-8"}, "en"),
        ({"QUINCONCE_LANG": "tlh", "LANG": "fr_FR.UTF-8"}, "fr"),
        ({"QUINCONCE_LANG": "", "LANG": "fr"}, "fr"),
    ],
)
def test_the_language_is_the_one_wished_for_else_the_locales(
    environ: dict[str, str], spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("locale.getlocale", lambda: (None, None))
    assert preferred_language(environ) == spoken


def test_without_environment_the_systems_locale_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("locale.getlocale", lambda: ("fr_FR", "UTF-8"))
    assert preferred_language({}) == "fr"


def french_prose() -> list[str]:
    """Everything people read in French, without the code in it."""
    texts = [message.string for message in messages("fr") if isinstance(message.string, str)]
    for file in (PACKAGE / "words").glob("*/*.fr.md"):
        prose = re.sub(r"^```.*?^```", "", file.read_text(encoding="utf-8"), flags=re.S | re.M)
        texts += re.sub(r"`[^`]*`", "", prose).split("\n")
    return texts


def test_french_keeps_its_signs_with_their_words() -> None:
    """A no-break space stands before : ; ? ! and inside « », and the apostrophe is curved."""
    for text in french_prose():
        assert not re.search(r" [:;?!»]|« |'[^{]*'|\w'\w", text.replace("'{", "{")), text


def test_a_phrase_is_said_with_the_phrases_inside_it() -> None:
    phrase = Phrase("no {colour} pawn is left in the reserve", colour=Phrase("red"))
    assert phrase == "no red pawn is left in the reserve"
    assert "rouge" in Voice("fr")(phrase)
    assert Voice("en")(phrase) == phrase


def test_every_word_of_a_game_is_said_in_french() -> None:
    """Titles and names of options may be the same in both languages; sentences are not."""
    say = Voice("fr")
    for name in quinconce.names():
        game = quinconce.game(name)
        assert say(game.summary) != game.summary
        assert say(game.how_to_write) != game.how_to_write
        for option in game.options.values():
            for meaning in option.meanings.values():
                assert say(meaning) != meaning
