"""Everything that people read: languages, rules, examples, sentences about a match."""

from quinconce.words.voice import LANGUAGES, Voice, preferred_language

__all__ = ["LANGUAGES", "Voice", "preferred_language"]
