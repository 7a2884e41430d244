"""The languages: which one to speak, the catalogues, and the rules of every game to read."""

from __future__ import annotations

import gettext
import locale
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from quinconce.core.phrase import ENGLISH, localize

DOMAIN: Final = "quinconce"
LANGUAGES: Final = ("en", "fr")  # English is the language the phrases are written in
WORDS_FOLDER: Final = Path(__file__).parent


def preferred_language(environ: Mapping[str, str] = os.environ) -> str:
    """The language to speak: QUINCONCE_LANG, else the locale's, else English."""
    names = ("QUINCONCE_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
    wishes = [environ[name] for name in names if environ.get(name)]
    if not wishes:
        with suppress(ValueError):  # some systems have locales that Python cannot name
            wishes = [locale.getlocale()[0] or ""]
    for wish in wishes:
        spoken = wish[:2].lower()
        if spoken in LANGUAGES:
            return spoken
        if wish != environ.get("QUINCONCE_LANG"):
            break  # the locale is one we do not speak, or "C"
    return LANGUAGES[0]


# How a language writes the separators of the English 1,234.5 and 6.7%.
SEPARATORS: Final = {"fr": {",": "\u202f", ".": ",", "%": "\u00a0%"}}


class Voice:
    """Says phrases in one language.

    >>> from quinconce import game
    >>> french = Voice("fr")
    >>> french(game("diam").players[0])
    'rouge et orange'
    """

    def __init__(self, spoken: str) -> None:
        self.language = spoken
        self.catalogue = gettext.translation(DOMAIN, WORDS_FOLDER, [spoken], fallback=True)
        self.ngettext = self.catalogue.ngettext
        self._separators = str.maketrans(SEPARATORS.get(spoken, {}))

    def __call__(self, value: object) -> str:
        """A phrase in this language; anything else as it is written."""
        return str(localize(value, self))

    def gettext(self, text: str) -> str:
        """A text in this language; the catalogue would answer an empty one with its own header."""
        return self.catalogue.gettext(text) if text else ""

    def number(self, value: float, spec: str = "") -> str:
        """A number as this language writes it; `spec` is a format specification."""
        return ENGLISH.number(value, spec).translate(self._separators)

    def set_process_language(self) -> None:
        """Let libraries that say something of their own, as Click does, speak this language too."""
        os.environ["LANGUAGE"] = self.language
        gettext.bindtextdomain(DOMAIN, WORDS_FOLDER)
        gettext.textdomain(DOMAIN)

    def rules_text(self, game: str) -> str:
        """The rules of a game, in Markdown."""
        return (WORDS_FOLDER / "rules" / f"{game}.{self.language}.md").read_text(encoding="utf-8")

    def known_remarks(self, game: str) -> str:
        """Remarks by hand for the page on what is known of a game, in Markdown; often empty."""
        path = WORDS_FOLDER / "known" / f"{game}.{self.language}.md"
        return path.read_text(encoding="utf-8") if path.exists() else ""
