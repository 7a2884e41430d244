"""A reviewed match as a tree: the marks of its errors, and how it might have gone on instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from quinconce.core.match import Match
from quinconce.core.phrase import Phrase
from quinconce.core.variations import Variations
from quinconce.study.review import Review
from quinconce.words.review import MARKS, judgement_sentence

LINE_PLIES: Final = 12  # plies of a better line that are kept


def reviewed_tree(
    match: Match[Any], found: Review, say: Callable[[Phrase], str] = str
) -> Variations:
    """The moves of a match, with a mark, a note and the better line at every error.

    The review may be of its first moves only.
    """
    tree = Variations.of(match)
    for node, ply in zip(tree.main_line(), found.plies, strict=False):
        if not ply.judgement:
            continue
        node.mark = MARKS[ply.judgement]
        node.note = say(judgement_sentence(ply))
        if ply.best and ply.best != ply.move and node.parent:
            better = node.parent
            for text in ply.line[:LINE_PLIES]:
                better = tree.add(better, text)
    return tree
