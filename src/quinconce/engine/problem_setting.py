"""Chooses in a solved game, among moves of the best proved value, the hardest one to answer.

The opponent is taken for one of several models; which, their moves in this match tell. A few plies
are weighed with the history of the match, and what lies beyond is known from `winning_chances`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from quinconce.core.match import LAST_OCCURRENCE, Match
from quinconce.core.value import Value, preference
from quinconce.engine.opponent_models import MODELS, Shares, write_reply_shares
from quinconce.engine.position_search import occurrence_table
from quinconce.engine.search import occurrence_count
from quinconce.engine.solved import positions_seen_twice, proved_moves
from quinconce.engine.winning_chances import DRAW_SHARE, WinningChances, available_chances
from quinconce.kernels import calls
from quinconce.kernels.array_types import Float64Array, Int32Array, Int64Array
from quinconce.kernels.arrays import array_maker
from quinconce.kernels.compiled import compiled, entry
from quinconce.kernels.kernel import kernel_for
from quinconce.kernels.protocol import image, image_count, index, key, load
from quinconce.kernels.protocol import successors as write_successors
from quinconce.solvers.retrograde import DRAWN, Solution, solution

LEAST_BELIEF: Final = 0.02  # how likely a move is that a model does not expect
MEMORY: Final = 0.9  # what is left of a belief after another move: early ones may be anybody's
SAME_REPLY: Final = 0.5  # how likely a reply is that was given here before
NO_REPLY: Final = 0  # the key where none was
SECOND_TIME: Final = 0.5  # what is left of a hope where a position comes back
POINT_STEP: Final = 1e-4  # of a point: what differs by less is equal


def hardest_move(match: Match[Any], chance: random.Random) -> str | None:
    """The move to play in a solved game; None if the game is not solved.

    A win is played the shortest way. In a drawn or lost position it is the move from which most is
    to be expected: one that repeats no position if there is one, the end by repetition at last.
    """
    game = match.game
    table = solution(game)
    if table is None:
        return None
    chances = available_chances(game)
    proved = proved_moves(match)
    values = settled_values(match, proved, table)
    best = max(values.values(), key=preference)
    moves = [text for text, value in values.items() if value.result == best.result]
    moves = [text for text in moves if text in proved] or moves  # history may spoil the others
    chance.shuffle(moves)
    if best.result == "win":
        return min(moves, key=lambda text: values[text].plies or 0)
    points = MatchOutlook(match, chances).points(moves) if chances else dict.fromkeys(moves, 0.0)
    legal, occurred = match.legal(), match.positions.count

    def worth(text: str) -> tuple[int, int, int]:
        repeated = occurred(legal[text]) if best.result == "draw" else 0
        return -repeated, round(points[text] / POINT_STEP), values[text].plies or 0

    return max(moves, key=worth)


def settled_values(
    match: Match[Any], proved: Mapping[str, Value], table: Solution
) -> dict[str, Value]:
    """What each legal move is worth: as it is proved, else by the table, which knows no history.

    What ends the match by repetition is a draw.
    """
    values, again = dict(proved), positions_seen_twice(match)
    for text, after in match.legal().items():
        if text not in values:
            drawn = after in again
            values[text] = Value("draw") if drawn else table.value(after).one_ply_earlier()
    return values


class ReplyWorkspace(NamedTuple):
    """What compiled code needs to weigh the replies of an opponent in one match."""

    chances: WinningChances
    rows: Int64Array  # the replies to a move, and our answers to one of them
    occurrences: Int64Array  # positions of the match so far, with how often each occurred
    temperatures: Float64Array  # of each model
    slips: Float64Array
    classes: Int32Array  # of the replies
    shares: Shares  # how likely each model plays each of them


class MatchOutlook:
    """What a match promises the one who is to move: who they play, and what occurred."""

    def __init__(self, match: Match[Any], chances: WinningChances) -> None:
        self.match = match
        self.kernel = kernel_for(match.game)
        state, most = self.kernel.encode(match.position), self.kernel.max_successors
        arrays = array_maker(self, state)
        self.workspace = ReplyWorkspace(
            WinningChances._make(map(arrays.keep, chances)),
            rows=arrays.empty(2, most, len(state)),
            occurrences=occurrence_table(match, self.kernel, arrays),
            temperatures=arrays.array([model.temperature for model in MODELS], "float64"),
            slips=arrays.array([model.slips for model in MODELS], "float64"),
            classes=arrays.empty(most, dtype="int32"),
            shares=arrays.empty(len(MODELS), most, dtype="float32"),
        )
        self.states = [self.kernel.encode(position) for position in match.positions]
        self.replies = {
            calls.key(before): calls.key(after) for before, after in self.opponent_turns()
        }
        self.beliefs = self.believe()

    def believe(self) -> Shares:
        """How likely each model is after what the opponent has played in this match."""
        import numpy as np

        beliefs = np.full(len(MODELS), 1 / len(MODELS), np.float32)
        for before, after in self.opponent_turns():
            beliefs **= MEMORY
            follow_reply(before, after, beliefs, self.workspace)
            beliefs /= beliefs.sum()
        return beliefs

    def opponent_turns(self) -> list[tuple[Any, Any]]:
        """The states before and after each move of the opponent's."""
        turn = self.states[-1].turn
        pairs = zip(self.states, self.states[1:], strict=False)
        return [(before, after) for before, after in pairs if before.turn != turn]

    def points(self, moves: list[str]) -> dict[str, float]:
        """The points to expect after each of some moves."""
        legal = self.match.legal()
        return {text: self.points_after(self.kernel.encode(legal[text])) for text in moves}

    def points_after(self, state: Any) -> float:
        """The points to expect where the opponent is to move."""
        reply = int(self.replies.get(calls.key(state), NO_REPLY))
        return float(expected_points(state, reply, self.beliefs, self.workspace))


@compiled
def class_of(state: Any, firsts: Int32Array) -> int:
    """The class of a position: the place of the least index that symmetry gives it."""
    least = index(state)
    for symmetry in range(1, image_count(state)):
        least = min(least, index(image(state, symmetry)))
    low, high = 0, firsts.size - 1
    while low < high:
        middle = (low + high) // 2
        if firsts[middle] < least:
            low = middle + 1
        else:
            high = middle
    return low


@compiled
def write_replies(state: Any, w: ReplyWorkspace) -> int:
    """The classes of all replies, and how likely each model plays them; returns how many."""
    n = write_successors(state, w.rows[0])
    for row in range(n):
        w.classes[row] = class_of(load(state, w.rows[0], row), w.chances.firsts)
    for model in range(w.shares.shape[0]):
        write_reply_shares(
            w.chances.estimates[model],
            w.chances.glances,
            w.temperatures[model],
            w.slips[model],
            w.classes,
            0,
            n,
            w.shares[model],
        )
    return n


@entry
def follow_reply(before: Any, after: Any, beliefs: Shares, w: ReplyWorkspace) -> None:
    """Believe more in the models that expected a move which was played."""
    n = write_replies(before, w)
    played = class_of(after, w.chances.firsts)
    for model in range(beliefs.size):
        expected = 0.0
        for row in range(n):
            if w.classes[row] == played:
                expected += w.shares[model, row]
        beliefs[model] *= LEAST_BELIEF + (1.0 - LEAST_BELIEF) * expected


@entry
def expected_points(state: Any, reply: int, beliefs: Shares, w: ReplyWorkspace) -> float:
    """What to expect where the opponent is to move; `reply` is where they went from here before."""
    if occurrence_count(w.occurrences, key(state)) >= LAST_OCCURRENCE:
        return DRAW_SHARE
    n = write_replies(state, w)
    total = 0.0
    for row in range(n):
        after = load(state, w.rows[0], row)
        if reply != NO_REPLY:
            again = SAME_REPLY if key(after) == reply else 0.0
            for model in range(beliefs.size):
                w.shares[model, row] = (1.0 - SAME_REPLY) * w.shares[model, row] + again
        for model in range(beliefs.size):
            w.shares[model, row] *= beliefs[model]
        total += best_answer(after, row, w)
    return total


@compiled
def best_answer(state: Any, row: int, w: ReplyWorkspace) -> float:
    """What our best answer to the reply of this row promises, times how likely the reply is."""
    worth = w.chances.worths[w.classes[row]]
    likely = 0.0
    for model in range(w.shares.shape[0]):
        likely += w.shares[model, row]
    if occurrence_count(w.occurrences, key(state)) >= LAST_OCCURRENCE:
        return DRAW_SHARE * likely
    if worth > DRAWN:
        return likely
    best = 0.0
    for answer in range(write_successors(state, w.rows[1])):
        after = load(state, w.rows[1], answer)
        place = class_of(after, w.chances.firsts)
        if worth == DRAWN and w.chances.worths[place] != DRAWN:
            continue
        times = occurrence_count(w.occurrences, key(after))
        hope = DRAW_SHARE * likely
        if times < LAST_OCCURRENCE:
            hope = 0.0
            for model in range(w.shares.shape[0]):
                hope += w.shares[model, row] * w.chances.hopes[model, place]
            if times and worth == DRAWN:
                hope = DRAW_SHARE * likely + SECOND_TIME * (hope - DRAW_SHARE * likely)
        best = max(best, hope)
    return best
