"""A phrase is a sentence for people: English as it stands, translatable where it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from string import Formatter
from typing import Any, Final, Protocol

MAX_QUOTE_LENGTH: Final = 60
MAX_NAMED: Final = 4  # a longer list is hard to read: a sentence does without it


class Language(Protocol):
    """What a phrase needs to be shown in a language: a catalogue, and how numbers are written."""

    def gettext(self, text: str, /) -> str:
        """A text in this language."""

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        """The form of a text that goes with a count."""

    def number(self, value: float, spec: str = "", /) -> str:
        """A number as this language writes it; `spec` is a format specification."""


class English:
    """The language in which phrases are written."""

    def gettext(self, text: str, /) -> str:
        """The text as it stands."""
        return text

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        """Singular for one, plural for every other count."""
        return singular if n == 1 else plural

    def number(self, value: float, spec: str = "", /) -> str:
        """Thousands apart by commas: 1,234.5."""
        return format(value, f",{spec}")


ENGLISH: Final = English()


class Phrase(str):
    """Text with its template and values kept, so that it can be shown in another language.

    A phrase that counts something has a template for the plural too; its value `n` decides.
    """

    template: str
    plural: str | None
    values: dict[str, object]

    def __new__(cls, template: str, plural: str | None = None, /, **values: object) -> Phrase:
        phrase = super().__new__(cls, fill_template(template, plural, values, ENGLISH))
        phrase.template = template
        phrase.plural = plural
        phrase.values = values
        return phrase

    def fill(self, **values: object) -> Phrase:
        """The same phrase with values in the places that its template names."""
        return Phrase(self.template, self.plural, **values)

    def render(self, language: Language) -> str:
        """The phrase in a language, the phrases and numbers inside it included."""
        return fill_template(self.template, self.plural, self.values, language)


class LocalFormatter(Formatter):
    """Fills a template with numbers as a language writes them."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def format_field(self, value: Any, spec: str) -> str:
        """A number by the language, everything else as usual."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            return self.language.number(value, spec)
        return format(value, spec)


def fill_template(
    template: str, plural: str | None, values: dict[str, object], language: Language
) -> str:
    """A template in a language, with its values."""
    count = values.get("n")
    if plural is not None and isinstance(count, int):
        text = language.ngettext(template, plural, count)
    else:
        text = language.gettext(template)
    if not values:
        return text
    shown = {name: localize(value, language) for name, value in values.items()}
    if any(isinstance(value, int | float) for value in shown.values()):
        return LocalFormatter(language).vformat(text, (), shown)
    return text.format(**shown)


def _(template: str, /, **values: object) -> Phrase:
    """Mark a string for translation: `_("the pile on {cell} is full", cell=3)`; Babel finds it."""
    return Phrase(template, **values)


def ngettext(singular: str, plural: str, n: int | None, /, **values: object) -> Phrase:
    """Mark a phrase that counts: `ngettext("{n} move", "{n} moves", 3)`; Babel finds it.

    Without a count it is filled in later, as the phrases that a browser shows are.
    """
    return (
        Phrase(singular, plural, **values) if n is None else Phrase(singular, plural, n=n, **values)
    )


def localize(value: object, language: Language) -> object:
    """A value as people of a language read it: phrases are translated, the rest stays."""
    return value.render(language) if isinstance(value, Phrase) else value


def quote(text: object) -> str:
    """What somebody sent, quoted on one line and no longer than an error message can bear."""
    whole = str(text)
    return repr(whole if len(whole) <= MAX_QUOTE_LENGTH else f"{whole[:MAX_QUOTE_LENGTH]}…")


def either(names: Sequence[str]) -> Phrase:
    """Names of which any will do; at least one."""
    if len(names) == 1:
        return Phrase("{only}", only=names[0])
    return _("{one} or {other}", one=", ".join(names[:-1]), other=names[-1])


def together(names: Sequence[str]) -> Phrase:
    """Names that belong together; at least one."""
    if len(names) == 1:
        return Phrase("{only}", only=names[0])
    first = names[0] if len(names) == 2 else ", ".join(names[:-1])
    return _("{one} and {other}", one=first, other=names[-1])
