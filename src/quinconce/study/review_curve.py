"""The curve of a review as a picture: what could be expected after each move, errors marked."""

from __future__ import annotations

from typing import Any

from quinconce.core.match import Match
from quinconce.core.phrase import _
from quinconce.core.record import Seat
from quinconce.core.word_lists import together
from quinconce.draw.curve import curve_svg
from quinconce.study.review import Review
from quinconce.words import Voice
from quinconce.words.sentences import player_name


def review_curve(
    match: Match[Any], found: Review, seats: tuple[Seat, ...], say: Voice, theme: str | None
) -> str:
    """The curve as SVG: one line for two sides, else one for each; without a theme in both."""
    game = match.game
    shown = game.sides[:1] if len(game.sides) == 2 else game.sides
    names = [
        say(together([say(player_name(match, seat, seats)) for seat in side])) for side in shown
    ]
    marks = {
        ply.ply: (game.side(ply.seat) if len(shown) > 1 else 0, ply.judgement)
        for ply in found.plies
        if ply.judgement
    }
    title = say(_("The expected result, move by move"))
    below = say(_("moves played"))
    return curve_svg(title, names, found.curve, marks, below=below, theme=theme)
