"""A review to keep and to show: the match as a tree with marks and better lines, and its curve."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from quinconce.core.match import Match
from quinconce.core.phrase import Phrase, _, together
from quinconce.core.record import Seat
from quinconce.core.variations import Variations
from quinconce.draw.plot import curve_svg
from quinconce.study.review import Review
from quinconce.words import Voice
from quinconce.words.review import MARKS, judgement_sentence
from quinconce.words.sentences import player_name

LINE_PLIES: Final = 12  # plies of a better line that are kept


def reviewed_tree(
    match: Match[Any], found: Review, say: Callable[[Phrase], str] = str
) -> Variations:
    """The moves of a match, with a mark, a note and the better line at every error.

    Where a proved value went by unseen there is no mark. The review may be of its first moves.
    """
    tree = Variations.of(match)
    for node, ply in zip(tree.main_line(), found.plies, strict=False):
        if not (ply.judgement or ply.went_by):
            continue
        node.mark = MARKS.get(ply.judgement or "", "")
        node.note = say(judgement_sentence(ply))
        if ply.best and ply.best != ply.move and node.parent:
            better = node.parent
            for text in ply.line[:LINE_PLIES]:
                better = tree.add(better, text)
    return tree


def review_curve(
    match: Match[Any],
    found: Review,
    seats: tuple[Seat, ...],
    say: Voice,
    theme: str | None,
    side: int = 0,
) -> str:
    """The curve as SVG: one line for two sides, as `side` sees it, else one for each.

    Without a theme it is drawn in both.
    """
    game = match.game
    shown = [side] if len(game.sides) == 2 else list(range(len(game.sides)))
    names = [
        say(together([say(player_name(match, seat, seats)) for seat in game.sides[each]]))
        for each in shown
    ]
    if len(shown) == 1:
        names = [say(_("Expected score: {player}", player=names[0]))]
    marks = {
        ply.ply: (game.side(ply.seat) if len(shown) > 1 else 0, ply.judgement)
        for ply in found.plies
        if ply.judgement
    }
    curve = [[scores[each] for each in shown] for scores in found.curve]
    title = say(_("The expected result, move by move"))
    below = say(_("moves played"))
    return curve_svg(title, names, curve, marks, below=below, theme=theme)
