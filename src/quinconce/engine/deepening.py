"""A whole search in compiled code: root moves, deepening, several lines, the variation of each.

Python, or a page, makes the arrays and calls `think` as often as it likes: a search goes on where
it stopped. States come back, which the rules turn into words.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from quinconce.core.match import LAST_OCCURRENCE
from quinconce.engine.limits import MAX_DEPTH
from quinconce.engine.scores import (
    COUNTED_WIN,
    ENDGAME_WIN,
    INFINITE,
    JAM_SCORE,
    MAX_ESTIMATE,
    NO_SCORE,
    PROVED_THRESHOLD,
)
from quinconce.engine.search import search, table_move_row
from quinconce.engine.transpositions import plies_to_end
from quinconce.engine.workspace import (
    MAX_PLY,
    NODE_LIMIT,
    PROOF_MODE,
    QUIET_LIMIT,
    ROOT_QUIET,
    STOP_FLAG,
    THREAD_COUNT,
    Workspace,
)
from quinconce.kernels.array_types import Int64Array
from quinconce.kernels.compiled import compiled, entry, int64
from quinconce.kernels.protocol import is_quiet, load

MAX_LINE_PLIES: Final = 40  # plies that are shown of what is not proved
FIRST_PLY: Final = 1  # of the positions after the root
COMPLETION_NODES: Final = 200_000  # nodes to find the rest of a proved line, or to prove a jam

# How far a search has come, and what it is told meanwhile, by place in `progress`.
ROOT_COUNT: Final = 0  # moves that are searched, the first of `order`
DEPTH: Final = 1  # plies, of the depth that is being searched too
WHOLE_DEPTH: Final = 2  # plies that were searched whole
ROUND: Final = 3  # depths that were begun, again after a stop too
FIRST_DEPTH_DONE: Final = 4  # 1 once every move was looked at
STOP_REQUESTED: Final = 5  # 1 if it is to stop, but not before the first depth is done
INTERRUPTED: Final = 6  # 1 if it is to stop at once
NODE_BUDGET: Final = 7  # nodes of a thread in all, from the second depth on
LINE_SCORE: Final = 8  # of the last variation: the score of its move, or what is proved of it
PROGRESS_SIZE: Final = 16

# A leader is a score in the high bits, and in these the round in which it was found.
ROUND_BITS: Final = 20
ROUND_MASK: Final = (1 << ROUND_BITS) - 1


class Roots(NamedTuple):
    """The moves of a position by number, and what a thread found of each."""

    states: Int64Array  # where each leads, a row for each; shared by all threads
    quiet_turns: Int64Array  # after each
    known: Int64Array  # the score of what needs no search, or NO_SCORE
    upper_bounds: Int64Array  # a move is worth no more, as far as it was searched
    leaders: Int64Array  # with which score any thread found a move best, and in which round
    scores: Int64Array  # a thread's own from here on
    order: Int64Array  # the numbers, the best first
    found: Int64Array  # the best of this depth, each with its score
    taken: Int64Array  # 1 for those
    progress: Int64Array  # see ROOT_COUNT and what follows it


@compiled
def best_leader(best: int, best_score: int, roots: Roots) -> int:
    """The move that is best so far, unless any thread knows a better one; -1 for none."""
    for place in range(roots.progress[ROOT_COUNT]):
        number = roots.order[place]
        leader = roots.leaders[number]
        if (
            leader & ROUND_MASK == roots.progress[ROUND] & ROUND_MASK
            and leader >> ROUND_BITS > best_score
            and not roots.taken[number]
        ):
            best, best_score = number, leader >> ROUND_BITS
    return best


@compiled
def search_move(state: Any, depth: int, alpha: int, beta: int, quiet: int, w: Workspace) -> int:
    """The score of a position that a move of the root has led to.

    Numba would compile the search once more for every constant that it is called with, and code
    from its cache that calls a function which calls itself would crash.
    """
    return search(state, depth, int64(alpha), int64(beta), int64(FIRST_PLY), quiet, w)


@compiled
def scout(state: Any, number: int, best_score: int, roots: Roots, w: Workspace) -> int:
    """The score of a move; if there is a better one, only that it is not better."""
    after, quiet = load(state, roots.states, number), roots.quiet_turns[number]
    depth = roots.progress[DEPTH] - 1
    if best_score > -INFINITE:
        score = -search_move(after, depth, -best_score - 1, -best_score, quiet, w)
        if score <= best_score:
            return score
    return -search_move(after, depth, -INFINITE, -best_score, quiet, w)


@compiled
def find_best(state: Any, count: int, roots: Roots, w: Workspace) -> bool:
    """Enter the best of the moves that are left as number `count`; whether all were searched.

    All but the first have only to be compared.
    """
    best, best_score, whole = -1, -INFINITE, True
    for place in range(roots.progress[ROOT_COUNT]):
        number = roots.order[place]
        if roots.taken[number]:
            continue
        if best < 0 or w.control[THREAD_COUNT] > 1:
            leader = best_leader(best, best_score, roots)
            if leader != best:
                best, best_score = leader, roots.leaders[leader] >> ROUND_BITS
        score = roots.known[number]
        if score != NO_SCORE:
            w.nodes[0] += 1
        else:
            score = scout(state, number, best_score, roots, w)
            if w.control[STOP_FLAG]:
                whole = False
                break
        roots.upper_bounds[number] = score
        if best < 0 or score > best_score:
            best, best_score = number, score
            roots.leaders[number] = score << ROUND_BITS | roots.progress[ROUND] & ROUND_MASK
    if best >= 0:
        roots.found[count, 0] = best
        roots.found[count, 1] = best_score
        roots.taken[best] = 1
    return whole


@compiled
def find_lines(state: Any, lines: int, roots: Roots, w: Workspace) -> bool:
    """Enter the best moves of this depth, as many as are asked for; whether all were searched."""
    for number in range(roots.taken.shape[0]):
        roots.taken[number] = 0
    for count in range(min(lines, roots.progress[ROOT_COUNT])):
        if not find_best(state, count, roots, w):
            return False
    return True


@compiled
def begin_depth(state: Any, roots: Roots, w: Workspace) -> None:
    """Go a ply deeper than was searched whole; the first ply needs no nodes to be allowed."""
    roots.progress[DEPTH] = roots.progress[WHOLE_DEPTH] + 1
    roots.progress[ROUND] += 1
    if roots.progress[DEPTH] > 1:
        w.control[NODE_LIMIT] = roots.progress[NODE_BUDGET]


@compiled
def finish_depth(state: Any, whole: bool, roots: Roots, w: Workspace) -> None:
    """Put first what was found best; a stop that came during the first depth is carried out."""
    count = 0
    for number in range(roots.taken.shape[0]):
        count += roots.taken[number]
    if not whole and count and roots.found[count - 1, 1] < -PROVED_THRESHOLD:
        count -= 1
        demote(roots.found[count, 0], roots.found[count, 1], roots)
    for rank in range(count):
        roots.scores[roots.found[rank, 0]] = roots.found[rank, 1]
        move_to(roots.order, roots.found[rank, 0], rank)
    if whole:
        roots.progress[WHOLE_DEPTH] = roots.progress[DEPTH]
    roots.progress[FIRST_DEPTH_DONE] = 1
    if roots.progress[STOP_REQUESTED]:
        roots.progress[INTERRUPTED] = w.control[STOP_FLAG] = 1


@compiled
def move_to(order: Int64Array, number: int, rank: int) -> None:
    """Put a move at a place of the order; the others keep theirs."""
    place = 0
    while order[place] != number:
        place += 1
    step = 1 if rank > place else -1
    while place != rank:
        order[place] = order[place + step]
        place += step
    order[rank] = number


@compiled
def demote(number: int, score: int, roots: Roots) -> None:
    """A move has turned out to lose before the others could be searched as deep.

    The best of those that do not, as far as they were searched, takes its place.
    """
    hoped, best = roots.scores[number], -1
    roots.scores[number] = score
    for place in range(roots.progress[ROOT_COUNT]):
        other = roots.order[place]
        if (
            other != number
            and roots.upper_bounds[other] > -PROVED_THRESHOLD
            and (best < 0 or roots.upper_bounds[other] > roots.upper_bounds[best])
        ):
            best = other
    if best >= 0:
        value = min(roots.upper_bounds[best], hoped, MAX_ESTIMATE)
        roots.scores[best] = max(value, -MAX_ESTIMATE)
        move_to(roots.order, best, 0)
        move_to(roots.order, number, roots.progress[ROOT_COUNT] - 1)


@entry
def is_final(state: Any, lines: int, roots: Roots) -> bool:
    """Whether searching deeper cannot change anything: the shortest win or loss is known."""
    if roots.progress[DEPTH] >= MAX_DEPTH:
        return True
    for rank in range(min(lines, roots.progress[ROOT_COUNT])):
        if roots.known[roots.order[rank]] == NO_SCORE:
            break
    else:
        return True
    score = roots.scores[roots.order[0]]
    return is_dated(score) and plies_to_end(score) <= roots.progress[DEPTH]


@compiled
def is_dated(score: int) -> bool:
    """Whether a score says how soon the end comes; a table of endgames does not."""
    far = abs(score)
    return far > PROVED_THRESHOLD and not COUNTED_WIN < far <= ENDGAME_WIN


@compiled
def quiet_turns_before(state: Any, roots: Roots) -> int:
    """The quiet turns in a row before the root; 0 if every move ends them."""
    most = 0
    for number in range(roots.quiet_turns.shape[0]):
        most = max(most, roots.quiet_turns[number] - 1)
    return most


@entry
def think(state: Any, lines: int, most_depth: int, roots: Roots, w: Workspace) -> bool:
    """Deepen until a depth, until nothing can change, or until nodes or a flag say stop.

    Returns whether the last depth was searched whole.
    """
    w.control[ROOT_QUIET] = quiet_turns_before(state, roots)
    while True:
        begin_depth(state, roots, w)
        whole = find_lines(state, lines, roots, w)
        finish_depth(state, whole, roots, w)
        if not whole or roots.progress[DEPTH] >= most_depth or is_final(state, lines, roots):
            return whole


@compiled
def grant_nodes(roots: Roots, w: Workspace) -> None:
    """Let the next search have some nodes more, whatever the limits were."""
    w.control[NODE_LIMIT] = w.nodes[0] + COMPLETION_NODES
    w.control[STOP_FLAG] = roots.progress[INTERRUPTED]


@compiled
def may_reach_jam(number: int, roots: Roots, w: Workspace) -> bool:
    """Whether a search so deep may have met the quiet limit, or a position a third time."""
    limit = w.control[QUIET_LIMIT]
    if limit and roots.quiet_turns[number] + roots.progress[WHOLE_DEPTH] > limit:
        return True
    for slot in range(w.occurrences.shape[0]):  # noqa: SIM110 (compiled code has no generators)
        if w.occurrences[slot, 1] >= LAST_OCCURRENCE:
            return True
    return False


@compiled
def proof_score(state: Any, number: int, roots: Roots, w: Workspace) -> int:
    """What is certain of a move where nothing but proofs counts; 0 if time is over."""
    if w.control[STOP_FLAG]:
        return 0
    after, depth = load(state, roots.states, number), roots.progress[WHOLE_DEPTH] - 1
    score = -search_move(after, depth, -INFINITE, INFINITE, roots.quiet_turns[number], w)
    return 0 if w.control[STOP_FLAG] else score


@compiled
def jam_proof_score(state: Any, number: int, roots: Roots, w: Workspace) -> int:
    """The score of a move that leads to a jam for certain; 0 if that is not proved.

    The player who is behind has lost only if every move loses: another move may be worth more
    than the search hopes. The plies are those of this move: putting a jam off costs pawns.
    """
    if abs(roots.scores[number]) != JAM_SCORE or not may_reach_jam(number, roots, w):
        return 0
    grant_nodes(roots, w)
    w.control[PROOF_MODE] = 1
    score = proof_score(state, number, roots, w)
    if score < 0:
        for place in range(roots.progress[ROOT_COUNT]):
            if proof_score(state, roots.order[place], roots, w) >= -PROVED_THRESHOLD:
                score = 0
                break
    w.control[PROOF_MODE] = 0
    return score if abs(score) > PROVED_THRESHOLD else 0


@compiled
def line_row(state: Any, depth: int, quiet: int, roots: Roots, w: Workspace) -> int:
    """The row of the next move of a line, or -1; where it is proved to a depth, searched again."""
    row = table_move_row(state, quiet, w)
    if row < 0 and depth > 0:
        grant_nodes(roots, w)
        search_move(state, depth, -INFINITE, INFINITE, quiet, w)
        row = table_move_row(state, quiet, w)
    return row


@compiled
def is_among(state: Any, out: Int64Array, count: int) -> bool:
    """Whether a state is one of the first rows."""
    for row in range(count):  # noqa: SIM110 (compiled code has no generators)
        if load(state, out, row) == state:
            return True
    return False


@compiled
def write_state(state: Any, out: Int64Array, row: int) -> None:
    """Make a state a row that `load` reads."""
    for field in range(len(state)):
        out[row, field] = state[field]


@compiled
def table_line(
    root: Any, number: int, plies: int, out: Int64Array, roots: Roots, w: Workspace
) -> int:
    """Write the states of the moves that the table remembers; to the end where that is proved."""
    state, quiet = load(root, roots.states, number), roots.quiet_turns[number]
    limit = w.control[QUIET_LIMIT] if w.control[QUIET_LIMIT] else INFINITE
    most = min(plies if plies else MAX_LINE_PLIES, out.shape[0])
    write_state(state, out, 0)
    count = 1
    while count < most and quiet < limit and not roots.progress[INTERRUPTED]:
        row = line_row(state, plies - count, quiet, roots, w)
        if row < 0:
            break
        after = load(state, w.rows[MAX_PLY], row)
        if not plies and is_among(after, out, count):
            break
        quiet = quiet + 1 if is_quiet(state, after) else 0
        state = after
        write_state(state, out, count)
        count += 1
    return count


@entry
def variation(state: Any, number: int, out: Int64Array, roots: Roots, w: Workspace) -> int:
    """Write the states of the variation that begins with a move; returns how many there are.

    What is proved to its end, and forgotten, is searched again; so is a jam that is not proved. The
    score of the move, or what is proved of it, is LINE_SCORE in `progress`.
    """
    limit, stopped = w.control[NODE_LIMIT], w.control[STOP_FLAG]
    proved = jam_proof_score(state, number, roots, w)
    score = proved if proved else roots.scores[number]
    roots.progress[LINE_SCORE] = score
    w.control[PROOF_MODE] = 1 if proved else 0
    plies = plies_to_end(score) if is_dated(score) else 0
    count = table_line(state, number, plies, out, roots, w)
    w.control[PROOF_MODE] = 0
    w.control[NODE_LIMIT] = limit
    w.control[STOP_FLAG] = 1 if roots.progress[INTERRUPTED] else stopped
    return count
