"""A phrase is a sentence for people: English as it stands, translatable where it is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

LONGEST_QUOTE: Final = 60


class Phrase(str):
    """Text with its template and values kept, so that a border can say it in another language.

    Written `_("the pile on {cell} is full", cell=3)`, which is also how Babel finds it.
    """

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> Phrase:
        phrase = super().__new__(cls, template.format(**values) if values else template)
        phrase.template = template
        phrase.values = values
        return phrase

    def said(self, gettext: Callable[[str], str]) -> str:
        """The phrase in the language of `gettext`, the phrases inside it included."""
        text = gettext(self.template)
        if not self.values:
            return text
        return text.format(**{name: say(value, gettext) for name, value in self.values.items()})


def say(value: object, gettext: Callable[[str], str]) -> object:
    """A value as people of that language read it: phrases are translated, the rest stays."""
    return value.said(gettext) if isinstance(value, Phrase) else value


def quoted(text: object) -> str:
    """What somebody sent, quoted on one line and no longer than an error message can bear."""
    whole = str(text)
    return repr(whole if len(whole) <= LONGEST_QUOTE else f"{whole[:LONGEST_QUOTE]}…")
