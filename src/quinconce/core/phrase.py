"""A phrase is a sentence for people: English as it stands, translatable where it is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

MAX_QUOTE_LENGTH: Final = 60


class Phrase(str):
    """Text with its template and values kept, so that it can be shown in another language."""

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> Phrase:
        phrase = super().__new__(cls, template.format(**values) if values else template)
        phrase.template = template
        phrase.values = values
        return phrase

    def fill(self, **values: object) -> Phrase:
        """The same phrase with values in the places that its template names."""
        return Phrase(self.template, **values)

    def render(self, gettext: Callable[[str], str]) -> str:
        """The phrase in the language of `gettext`, the phrases inside it included."""
        text = gettext(self.template)
        if not self.values:
            return text
        return text.format(
            **{name: localize(value, gettext) for name, value in self.values.items()}
        )


def _(template: str, /, **values: object) -> Phrase:
    """Mark a string for translation: `_("the pile on {cell} is full", cell=3)`; Babel finds it."""
    return Phrase(template, **values)


def localize(value: object, gettext: Callable[[str], str]) -> object:
    """A value as people of that language read it: phrases are translated, the rest stays."""
    return value.render(gettext) if isinstance(value, Phrase) else value


def quote(text: object) -> str:
    """What somebody sent, quoted on one line and no longer than an error message can bear."""
    whole = str(text)
    return repr(whole if len(whole) <= MAX_QUOTE_LENGTH else f"{whole[:MAX_QUOTE_LENGTH]}…")
