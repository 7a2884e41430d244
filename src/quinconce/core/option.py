"""The options of a game, what is offered and how a choice is settled; its editions in a menu."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from quinconce.core.phrase import Phrase, _, quote

PLAIN_NUMBER: Final = re.compile("0|[1-9][0-9]{0,19}")  # a seed of 64 bits needs no more digits


class Option(tuple[str, ...]):
    """The values offered for one option, as text, the default first.

    Where `numbers` is given, any whole number in it is offered too; `counted` says a value that
    counts something: «4 players».

    >>> from quinconce import game
    >>> quiet = game("seega").options["quiet"]
    >>> tuple(quiet), str(quiet.choices)
    (('40', 'none'), '40, none, or a number from 2 to 1000')
    """

    label: Phrase
    meanings: Mapping[str, Phrase]
    numbers: range
    counted: Callable[[int], Phrase] | None

    def __new__(
        cls,
        label: Phrase,
        meanings: Mapping[str, Phrase],
        numbers: range = range(0),
        counted: Callable[[int], Phrase] | None = None,
    ) -> Option:
        option = super().__new__(cls, meanings)
        option.label = label
        option.meanings = meanings
        option.numbers = numbers
        option.counted = counted
        return option

    @property
    def choices(self) -> Phrase:
        """What can be chosen, for an error message or a help page."""
        values = ", ".join(self)
        if not self.numbers:
            return Phrase(values)
        low, high = str(self.numbers[0]), str(self.numbers[-1])  # as one types them
        return _("{values}, or a number from {low} to {high}", values=values, low=low, high=high)

    def describe(self, value: str) -> Phrase:
        """A value in words: a number with what it counts, another by what it means."""
        if self.counted:
            return self.counted(int(value))
        if value[:1].isdigit():
            return _("{label} {value}", label=self.label, value=value)
        return self.meanings[value]

    def validate(self, name: str, value: object) -> str:
        """The one spelling of a value given as text or number; ValueError if it is not offered."""
        text = str(value) if isinstance(value, str | int) else ""
        if text in self or parse_number(text) in self.numbers:
            return text
        raise ValueError(
            _(
                "option {name} cannot be {value}: choose {offer}",
                name=name,
                value=quote(value),
                offer=self.choices,
            )
        )


def parse_number(text: str) -> int | None:
    """A whole number written in plain digits without needless zeros, or None."""
    return int(text) if PLAIN_NUMBER.fullmatch(text) else None


def complete_options(options: Mapping[str, Option], given: Mapping[str, object]) -> dict[str, str]:
    """Every option with its value: what was given, and the defaults for the rest."""
    for name in given:
        if name not in options:
            known = ", ".join(options)
            raise ValueError(
                _("there is no option {name}: choose among {known}", name=quote(name), known=known)
                if known
                else _("there is no option {name}: this game has none", name=quote(name))
            )
    return {
        name: option.validate(name, given[name]) if name in given else option[0]
        for name, option in options.items()
    }


def options_text(chosen: Mapping[str, object]) -> str:
    """Options as records, certificates and puzzle files write them: `edition=2003 players=2`."""
    return " ".join(f"{name}={value}" for name, value in chosen.items())


def parse_options(words: Iterable[str]) -> dict[str, str]:
    """The options in words like `key=value`; ValueError for another word, or a key given twice."""
    options: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(_("{option} is not like key=value", option=quote(word)))
        if name in options:
            raise ValueError(_("the option {name} is given twice", name=quote(name)))
        options[name] = value
    return options


class Edition(NamedTuple):
    """A title, a summary, a sample position and what is known, for a card of the menu."""

    title: Phrase
    sample_moves: str  # moves of a game that lead to a position worth seeing
    minutes: int  # that people usually play
    status: Phrase  # what is known of it, in half a sentence
    options: Mapping[str, str] = {}
    short_title: Phrase = Phrase("")  # without the name of the game, if it has several editions
