"""A review in the terminal: its moves, its curve, and how accurate the players were."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from quinconce.core.match import Match
from quinconce.core.phrase import Phrase, _
from quinconce.core.record import Seat
from quinconce.study.review import PlyReview, Review
from quinconce.words import Voice
from quinconce.words.review import JUDGEMENTS, MARKS, judgement_sentence
from quinconce.words.sentences import player_name

CURVE_ROWS: Final = 9  # an odd number, so that the middle has a row
CURVE_MARGIN: Final = 6  # characters before the curve
SMALLEST_CURVE: Final = 10  # characters of a curve, however narrow the terminal is
STYLES: Final = {"inaccuracy": "yellow", "mistake": "bold yellow", "blunder": "bold red"}
PROVEN: Final[dict[str, Phrase]] = {"win": _("won"), "draw": _("drawn"), "loss": _("lost")}
COUNT_HEADINGS: Final[dict[str, Phrase]] = {
    "inaccuracy": _("inaccuracies"),
    "mistake": _("mistakes"),
    "blunder": _("blunders"),
}


def review_table(found: Review, say: Voice) -> Table:
    """A row for each move: what its player could expect before and after it, and what it was."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in (_("#"), _("player"), _("move"), _("before"), _("after"), _("remark")):
        table.add_column(say(heading), overflow="fold")
    for ply in found.plies:
        mark = MARKS.get(ply.judgement or "", "")
        table.add_row(
            str(ply.ply),
            str(ply.seat + 1),
            Text(f"{ply.move}{mark}", STYLES.get(ply.judgement or "", "")),
            score_cell(say, ply.score_before, ply.proven_before),
            score_cell(say, ply.score_after, ply.proven_after),
            remark_cell(say, ply),
        )
    return table


def score_cell(say: Voice, score: float, proven: str | None) -> str:
    """What is proved, or else what may be expected."""
    return say(PROVEN[proven]) if proven else say.number(score, ".0%")


def remark_cell(say: Voice, ply: PlyReview) -> str:
    """What is said of an error, of what went by, and of an only move; nothing of the others."""
    if ply.judgement or ply.went_by or ply.saved or (ply.only_move and ply.proven):
        return say(judgement_sentence(ply))
    return ""


def accuracy_table(
    found: Review, match: Match[Any], say: Voice, seats: tuple[Seat, ...] = ()
) -> Table:
    """A row for each player: how accurate they were, and how many errors they made."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(say(_("player")), overflow="fold")
    for heading in (_("accuracy"), *COUNT_HEADINGS.values()):
        table.add_column(say(heading), justify="right", overflow="fold")
    for seat, accuracy in enumerate(found.accuracy):
        made = [ply.judgement for ply in found.plies if ply.seat == seat]
        table.add_row(
            say(player_name(match, seat, seats)),
            "-" if accuracy is None else say.number(accuracy / 100, ".0%"),
            *(str(made.count(kind)) for kind in JUDGEMENTS),
        )
    return table


def curve_lines(found: Review, width: int) -> list[str]:
    """The curve in plain characters: `*` for the first side, or a digit for each of more sides.

    Below it stand the marks of the errors, as far as the width lets them.
    """
    columns = min(max(SMALLEST_CURVE, width - CURVE_MARGIN - 1), len(found.curve))
    plies = [column * (len(found.curve) - 1) // max(1, columns - 1) for column in range(columns)]
    sides = len(found.curve[0])
    grid = [[" "] * columns for _row in range(CURVE_ROWS)]
    grid[CURVE_ROWS // 2] = ["-"] * columns
    for side in reversed(range(1 if sides == 2 else sides)):
        for column, ply in enumerate(plies):
            score = found.curve[min(ply, len(found.curve) - 1)][side]
            row = round((1 - score) * (CURVE_ROWS - 1))
            grid[row][column] = "*" if sides == 2 else str(side + 1)
    labels = {0: "100", CURVE_ROWS // 2: "50", CURVE_ROWS - 1: "0"}
    lines = [f"{labels.get(row, ''):>4} |{''.join(cells)}" for row, cells in enumerate(grid)]
    return [line.rstrip() for line in [*lines, error_row(found, plies)]]


def error_row(found: Review, plies: Sequence[int]) -> str:
    """A question mark below each mistake, an exclamation mark below each blunder."""
    signs = {"mistake": "?", "blunder": "!"}
    cells = []
    for first, last in zip([-1, *plies], plies, strict=False):
        here = [found.plies[n - 1].judgement for n in range(first + 1, last + 1) if n > 0]
        worst = max(here, key=lambda kind: JUDGEMENTS.index(kind) if kind else -1, default=None)
        cells.append(signs.get(worst or "", " "))
    return " " * CURVE_MARGIN + "".join(cells)
