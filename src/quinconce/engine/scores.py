"""What a search says of a position: estimates, and beyond them what is proved."""

from __future__ import annotations

from typing import Final

from quinconce.kernels.compiled import compiled

# Scores are in hundredths of a pawn, from the view of the player to move. What is proved lies
# beyond every estimate: a win on the board, less the plies to it; below it one that a table of
# endgames promises, less the plies to the next capture there; below that, where one asks what is
# proved of it, a victory by counting after a jam, less the plies to it. A loss is a win of the
# other's. A search for the best move puts a jam neither above all its hopes nor below all its
# fears: a jam is worth as much as a clear advantage.
WIN: Final = 1_000_000
ENDGAME_WIN: Final = 750_000
COUNTED_WIN: Final = 500_000
PROVED_THRESHOLD: Final = 250_000
MAX_ESTIMATE: Final = 100_000  # no estimate goes beyond
INFINITE: Final = 2_000_000
NO_SCORE: Final = INFINITE + 1  # where there is no score to return
JAM_SCORE: Final = (
    300  # what a jam is worth to the one who has more, as long as one plays for the best
)


@compiled
def score_from_root(score: int, ply: int) -> int:
    """A score counted from this ply, as the root counts it."""
    if score > PROVED_THRESHOLD:
        return score - ply
    return score + ply if score < -PROVED_THRESHOLD else score


@compiled
def plies_to_end(score: int) -> int:
    """How far the end is that a proved score promises."""
    far = abs(score)
    return (WIN if far > ENDGAME_WIN else ENDGAME_WIN if far > COUNTED_WIN else COUNTED_WIN) - far


def is_endgame_score(score: int) -> bool:
    """Whether it comes from a table of endgames, and the end may be nearer or further."""
    return COUNTED_WIN < abs(score) <= ENDGAME_WIN
