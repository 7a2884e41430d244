"""A reviewed match as a tree: errors have their mark, a note, and the better line beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from quinconce.core.errors import MoveError
from quinconce.core.match import Match
from quinconce.core.phrase import Phrase
from quinconce.core.record import Seat
from quinconce.core.variations import Node, Variations
from quinconce.study.review import PlyReview, Review
from quinconce.words.review import MARKS, accuracy_sentence, judgement_sentence
from quinconce.words.sentences import player_name

MAX_LINE: Final = 12  # plies of a better line that are written down


def annotated_variations(
    match: Match[Any], review: Review, seats: Sequence[Seat], say: Callable[[Phrase], str]
) -> Variations:
    """The moves of a match with what its review says of them, in a language."""
    tree = Variations.of(match)
    tree.root.note = " ".join(
        say(accuracy_sentence(player_name(match, seat, tuple(seats)), share))
        for seat, share in enumerate(review.accuracy)
        if share is not None
    )
    past = Match(match.game, match.start)
    before = tree.root
    for node, ply in zip(tree.main_line(), review.plies, strict=False):
        if ply.judgement:
            node.mark = MARKS[ply.judgement]
            node.note = say(judgement_sentence(ply))
            add_line(tree, before, past, ply)
        past.play(ply.move)
        before = node
    return tree


def add_line(tree: Variations, before: Node, past: Match[Any], ply: PlyReview) -> None:
    """Write the better line beside a move, as far as the rules allow it."""
    node, played = before, 0
    try:
        for text in ply.line[:MAX_LINE]:
            past.play(text)
            played += 1
            node = tree.add(node, text)
    except MoveError:
        pass
    for _ply in range(played):
        past.undo()
