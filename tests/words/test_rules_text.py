"""The rules in short: few words, three drawings, every edition, and no mark of the terminal."""

from __future__ import annotations

import re
from itertools import chain

import pytest

import quinconce
from quinconce.core.registry import game_class
from quinconce.words import LANGUAGES, Voice
from quinconce.words.examples import fenced_blocks, parse_examples
from quinconce.words.rules_text import ShortRules, parse_rules

NAMES = quinconce.names()
MOST_WORDS = 120  # of the aim, a turn and the end, with their headings
# What stands in examples and positions, which the pages draw.
TERMINAL_MARKS = re.compile(r"`(\?|!|=>|#|½|\*|turn=\d|phase=\d|duty=\d)`")
LAST_HEADING = {"en": "## How we read the sheet", "fr": "## Comment nous lisons la feuille"}
GOOD = """# A game

## In short

### The aim

Win.

```moves
r@1
```

### Your turn

Play.

```moves
r@1
```

### The end

Stop.

```moves
r@1
```

### Good to know

- Nothing.

---

Details.

---

Notes.
"""


def words_of(short: ShortRules) -> int:
    """How many words people read; a sign between two spaces is none."""
    prose = chain.from_iterable((each.heading, each.text) for each in short.sections)
    return sum(bool(re.search(r"\w", word)) for text in prose for word in text.split())


every_text = pytest.mark.parametrize(
    ("name", "language"), [(name, language) for name in NAMES for language in LANGUAGES]
)


@every_text
def test_the_short_rules_are_short(name: str, language: str) -> None:
    for short in parse_rules(Voice(language).rules_text(name)).short:
        assert len(short.sections) == 3
        assert 60 <= words_of(short) <= MOST_WORDS, short.title
        assert short.points.startswith("- ")


@every_text
def test_every_edition_has_its_short_rules_drawn_by_its_own_rules(name: str, language: str) -> None:
    editions = game_class(name).editions
    text = parse_rules(Voice(language).rules_text(name))
    assert len(text.short) in (1, len(editions))
    for number, edition in enumerate(editions):
        for section in text.short_for(number).sections:
            rules = quinconce.game(name, **section.example.options)
            wanted = quinconce.game(name, **edition.options)
            assert rules.chosen == wanted.chosen, section.heading


@every_text
def test_pages_explain_no_mark_that_only_a_terminal_shows(name: str, language: str) -> None:
    text = parse_rules(Voice(language).rules_text(name))
    shown = [text.details, *(short.points for short in text.short)]
    shown += [section.text for short in text.short for section in short.sections]
    for part in shown:
        prose = re.sub(r"^```.*?^```", "", part, flags=re.S | re.M)
        assert not TERMINAL_MARKS.search(prose)
        for option, values in game_class(name).options.items():
            for code in (option, *(value for value in values if not value.isdigit())):
                assert f"`{code}`" not in prose, code  # the form has words for it
        assert all(info[:1] == ["moves"] for info, _lines in fenced_blocks(part))
    if parse_examples(text.details):
        assert TERMINAL_MARKS.search(text.notes)


READINGS: dict[str, dict[str, tuple[str, ...]]] = {
    "seega": {"en": ("default", "option", "two ways"), "fr": ("défaut", "option", "deux façons")},
    "diam": {"en": ("default", "2003", "1997"), "fr": ("défaut", "2003", "1997")},
    "diadema": {"en": ("two ways", "option"), "fr": ("deux façons", "option")},
}


@pytest.mark.parametrize("name", READINGS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_where_a_sheet_is_read_in_two_ways_the_rules_say_so(name: str, language: str) -> None:
    markdown = re.sub(r"\s+", " ", Voice(language).rules_text(name))
    for word in READINGS[name][language]:
        assert word in markdown


def test_a_rules_text_is_read_in_its_parts() -> None:
    text = parse_rules(GOOD)
    assert (text.title, text.details, text.notes) == ("A game", "Details.", "Notes.")
    (short,) = text.short
    assert [each.heading for each in short.sections] == ["The aim", "Your turn", "The end"]
    assert short.sections[0].text == "Win."
    assert short.points == "- Nothing."
    assert text.short_for(1) == short


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("# A game", "A game", "a title and three parts"),
        ("\n---\n\nNotes", "\nNotes", "a title and three parts"),
        ("## In short\n", "", "in short are missing"),
        ("### The end\n", "", "needs the aim"),
        ("Win.\n\n```moves\nr@1\n```", "Win.", "«The aim» needs one example"),
        ("```moves\nr@1\n```\n\n### Your", "```moves\nr@1\n```\n\nMore.\n\n### Your", "needs one"),
    ],
)
def test_what_is_missing_in_a_rules_text_is_told(old: str, new: str, why: str) -> None:
    assert old in GOOD
    with pytest.raises(ValueError, match=why):
        parse_rules(GOOD.replace(old, new, 1))


def readings(name: str, language: str) -> list[str]:
    """The points of the last section of the details: what we took where a sheet is not clear."""
    _before, _heading, last = parse_rules(Voice(language).rules_text(name)).details.rpartition(
        LAST_HEADING[language]
    )
    assert "\n## " not in last
    return re.split(r"^- ", last, flags=re.MULTILINE)[1:]


@pytest.mark.parametrize("name", NAMES)
def test_the_rules_end_with_how_we_read_the_sheet_in_its_own_words(name: str) -> None:
    quoted = [
        [
            re.findall("«\\s?(.*?)\\s?»", " ".join(point.split()))
            for point in readings(name, language)
        ]
        for language in LANGUAGES
    ]
    assert quoted[0] == quoted[1]
    assert len(quoted[0]) >= 3


def test_removal_is_the_first_rule_of_seegas_sheet_and_replaying_the_second() -> None:
    for language, first, second in [("en", "first", "second"), ("fr", "première", "seconde")]:
        remove, replay = readings("seega", language)[4:6]
        assert first in remove
        assert second in replay
