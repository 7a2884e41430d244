"""One search for every two-sided game: alpha-beta in depth, specialised by the kind of state."""

from __future__ import annotations

from typing import Any, Final

from quinconce.core.match import LAST_OCCURRENCE
from quinconce.engine.move_ordering import (
    DEFERRED_RANK,
    keep_deferred,
    pick_next_row,
    rank_moves,
    record_fail_high,
    select_placings,
)
from quinconce.engine.scores import (
    COUNTED_WIN,
    ENDGAME_WIN,
    INFINITE,
    JAM_SCORE,
    MAX_ESTIMATE,
    NO_SCORE,
    PROVED_THRESHOLD,
    WIN,
)
from quinconce.engine.transpositions import (
    EXACT,
    LOWER_BOUND,
    NO_ENTRY,
    NO_ROW,
    UPPER_BOUND,
    entry_bound,
    entry_depth,
    entry_row,
    entry_score,
    pack_entry,
    plies_to_end,
    probe_transposition,
    score_from_root,
    store_entry,
)
from quinconce.engine.weakness import evaluation_noise, is_overlooked
from quinconce.engine.workspace import (
    DEFER_SLOTS,
    DRAW_SCORE,
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
from quinconce.kernels.bits import mix64
from quinconce.kernels.compiled import compiled
from quinconce.kernels.protocol import (
    CALM,
    WIN_IN_ONE,
    evaluate,
    index,
    is_placing,
    is_quiet,
    jammed,
    key,
    load,
    prunes_by_estimate,
    successors,
    urgency,
    winner,
)

# Plies that a search goes on beyond its depth while threats are answered.
QUIESCENCE_PLIES: Final = 10
# From this depth on, a position without a known best move is searched a ply less.
IIR_DEPTH: Final = 4
# Below this depth a position is not worth telling the other threads about; the second is for
# positions where pieces are placed, and hundreds of moves are weighed.
DEFER_DEPTH: Final = 3
DEFER_DEPTH_PLACING: Final = 2
# Where a game prunes by estimates, up to this depth: how far one has to lie beyond what is at
# stake, for every ply; and how many moves are tried all the same, with two more for every ply.
PRUNING_DEPTH: Final = 3
PRUNING_MARGIN: Final = 80
MOVES_TRIED: Final = 3
# An estimate of even numbers of pieces comes to the half at the quiet limit; without a limit it
# does so after this many quiet turns.
FADING_TURNS: Final = 40
# Crosses the keys of proofs, so that they do not meet estimates in the table.
PROOF_SALT: Final = 0x5BD1E995A7C6B2D3


@compiled
def occurrence_count(seen: Int64Array, here: int) -> int:
    """How often a position occurred in the match so far."""
    slot = here & (seen.shape[0] - 1)
    while seen[slot, 1]:
        if seen[slot, 0] == here:
            times: int = seen[slot, 1]
            return times
        slot = (slot + 1) & (seen.shape[0] - 1)
    return 0


@compiled
def is_on_path(path: Int64Array, here: int, ply: int) -> bool:
    """Whether the path to this ply came through the same position."""
    for before in range(ply - 2, -1, -2):  # noqa: SIM110 (compiled code has no generators)
        if path[before] == here:
            return True
    return False


@compiled
def faded(value: int, state: Any, ply: int, quiet: int, w: Workspace) -> int:
    """An estimate, worth less the more quiet turns there were, where a jam would be even.

    They are those before the root, and count if all turns since have been quiet, which the pieces
    tell. So the way to a position does not matter, and the table holds what is true of it.
    """
    before = w.control[ROOT_QUIET]
    if before == 0 or quiet < before + ply or jammed(state):
        return value
    limit = w.control[QUIET_LIMIT] if w.control[QUIET_LIMIT] else FADING_TURNS
    return value * (2 * limit - min(before, limit)) // (2 * limit)  # type: ignore[no-any-return]


@compiled
def noisy_evaluation(state: Any, ply: int, quiet: int, w: Workspace) -> int:
    """The evaluation, a weak player's with noise, within the bounds of what is not proved."""
    value = faded(evaluate(state, w.weights), state, ply, quiet, w)
    value += evaluation_noise(state, w.control)
    return min(max(value, -MAX_ESTIMATE), MAX_ESTIMATE)


@compiled
def endgame_score(state: Any, ply: int, quiet: int, w: Workspace) -> int:
    """The score that the endgame tables promise; 0 where they say nothing, or not in time.

    A worth tells the turns to the next capture, which must come before the quiet limit. Only what
    would be estimated is asked for: a search may find the end itself, and how soon it comes.
    """
    if w.endgame_distances.shape[0] == 0:
        return 0
    number = index(state)
    if number < 0 or number >= w.endgame_distances.shape[0]:
        return 0
    worth = int(w.endgame_distances[number])
    turns = abs(worth) - 1
    if worth == 0 or (w.control[QUIET_LIMIT] and quiet + turns > w.control[QUIET_LIMIT]):
        return 0
    return ENDGAME_WIN - ply - turns if worth > 0 else ply + turns - ENDGAME_WIN


@compiled
def jam_score(state: Any, w: Workspace) -> int:
    """What a jam is worth while one plays for the best; an even one may cost who wants more."""
    ahead = jammed(state)
    if ahead or w.control[PROOF_MODE]:
        return ahead * JAM_SCORE
    draw: int = w.control[DRAW_SCORE]
    return -draw if state.turn & 1 else draw


@compiled
def terminal_score(state: Any, here: int, ply: int, quiet: int, w: Workspace) -> int:
    """The score where a match is over or goes round in circles; NO_SCORE where it goes on."""
    won = winner(state)
    if won >= 0:
        return WIN - ply if won == state.turn & 1 else ply - WIN
    limit = w.control[QUIET_LIMIT]
    if occurrence_count(w.occurrences, here) >= LAST_OCCURRENCE or (limit and quiet >= limit):
        if w.control[PROOF_MODE]:
            return jammed(state) * (COUNTED_WIN - ply)
        return jam_score(state, w)
    if is_on_path(w.path, here, ply):
        return jam_score(state, w)
    return NO_SCORE


@compiled
def visible_urgency(state: Any, here: int, ply: int, w: Workspace) -> int:
    """How urgent a position is; a weak player may not see a win in one move."""
    urgent = urgency(state)
    return CALM if urgent == WIN_IN_ONE and is_overlooked(here, ply, w.control) else urgent


@compiled
def salted_key(here: int, w: Workspace) -> int:
    """The key of a position, another one while only what is proved counts."""
    return here ^ PROOF_SALT if w.control[PROOF_MODE] else here


@compiled
def table_key(here: int, depth: int, quiet: int, w: Workspace) -> int:
    """The key of a position in the table.

    Where the quiet limit is within reach, the same position is another one a turn later.
    """
    here = salted_key(here, w)
    limit = w.control[QUIET_LIMIT]
    near = limit and quiet + max(depth, 0) + QUIESCENCE_PLIES >= limit
    return mix64(here + quiet) if near else here


@compiled
def table_cutoff(
    entry: int, depth: int, alpha: int, beta: int, ply: int, quiet: int, w: Workspace
) -> int:
    """The score if the table knows all that is asked; else NO_SCORE.

    A proof counts at any depth, if it comes before the quiet limit.
    """
    if entry == NO_ENTRY:
        return NO_SCORE
    score = entry_score(entry)
    if abs(score) > PROVED_THRESHOLD:
        if w.control[QUIET_LIMIT] and quiet + plies_to_end(score) >= w.control[QUIET_LIMIT]:
            return NO_SCORE
    elif entry_depth(entry) < depth:
        return NO_SCORE
    score = score_from_root(score, ply)
    bound = entry_bound(entry)
    if (
        (bound == EXACT and entry_depth(entry) >= depth)
        or (bound & LOWER_BOUND and score >= beta)
        or (bound & UPPER_BOUND and score <= alpha)
    ):
        return score
    return NO_SCORE


@compiled
def cutoff_by_other_thread(
    state: Any, depth: int, alpha: int, beta: int, ply: int, quiet: int, w: Workspace
) -> int:
    """What another thread found in a position that was put off meanwhile; or NO_SCORE.

    It may have searched a ply less, as this one would have done, because it met it first.
    """
    here = key(state)
    if terminal_score(state, here, ply, quiet, w) != NO_SCORE:
        return NO_SCORE
    entry = probe_transposition(w.table, table_key(here, depth, quiet, w))
    least = depth - 1 if depth >= IIR_DEPTH else depth
    return table_cutoff(entry, least, alpha, beta, ply, quiet, w)


@compiled
def nothing_presses(urgent: int, alpha: int, beta: int) -> bool:
    """Whether nobody is pressed, and it is not at stake how soon somebody wins."""
    return urgent == CALM and alpha > -PROVED_THRESHOLD and beta < PROVED_THRESHOLD


@compiled
def late_move_reduction(
    state: Any, searched: int, depth: int, urgent: int, alpha: int, beta: int
) -> int:
    """How much less deep a late move is searched at first."""
    if depth < 3 or not nothing_presses(urgent, alpha, beta):
        return 0
    if prunes_by_estimate(state):
        if searched >= 6 and depth >= 4:
            return 3 if searched >= 12 and depth >= 6 else 2
        return 1 if searched >= 3 else 0
    if searched < 4:
        return 0
    return 2 if searched >= 12 and depth >= 6 else 1


@compiled
def search(
    state: Any, depth: int, alpha: int, beta: int, ply: int, quiet: int, w: Workspace
) -> int:
    """The score of a position within a window; what lies outside is only a bound."""
    # 1. Stop when the nodes are used up, or when another thread says so.
    if w.nodes[0] >= w.control[NODE_LIMIT]:
        w.control[STOP_FLAG] = 1
    if w.control[STOP_FLAG]:
        return 0
    w.nodes[0] += 1

    # 2. The match is over, or goes round in circles.
    here = key(state)
    over = terminal_score(state, here, ply, quiet, w)
    if over != NO_SCORE:
        return over

    # 3. A win in one move needs no search.
    urgent = visible_urgency(state, here, ply, w)
    if urgent == WIN_IN_ONE:
        return WIN - ply - 1

    # 4. At the horizon: what the endgame tables promise, or an estimate once nothing is urgent.
    if depth <= 0:
        promise = endgame_score(state, ply, quiet, w)
        if promise:
            return promise
    if ply >= MAX_PLY - 1 or (depth <= 0 and (urgent == CALM or depth <= -QUIESCENCE_PLIES)):
        return noisy_evaluation(state, ply, quiet, w)

    # 5. Mate distance pruning: a win or a loss that is nearer is known already.
    alpha = max(alpha, ply - WIN)
    beta = min(beta, WIN - ply - 1)
    if alpha >= beta:
        return alpha

    # 6. The transposition table knows the score, or at least the best move.
    place = table_key(here, depth, quiet, w)
    entry = probe_transposition(w.table, place)
    score = table_cutoff(entry, depth, alpha, beta, ply, quiet, w)
    if score != NO_SCORE:
        return score
    best_row = NO_ROW if entry == NO_ENTRY else entry_row(entry)

    # 7. Futility pruning: where an estimate is far above what is at stake it will do; where it is
    #    far below, only few moves are tried.
    few_moves = False
    if (
        prunes_by_estimate(state)
        and 0 < depth <= PRUNING_DEPTH
        and nothing_presses(urgent, alpha, beta)
        and not w.control[PROOF_MODE]
    ):
        estimate = noisy_evaluation(state, ply, quiet, w)
        if estimate - PRUNING_MARGIN * depth >= beta:
            return estimate
        few_moves = estimate + PRUNING_MARGIN * depth <= alpha

    # 8. Internal iterative reduction: without a best move from the table, search a ply less.
    if entry == NO_ENTRY and depth >= IIR_DEPTH:
        depth -= 1

    # 9. Make the moves and rank them; while pieces are placed, keep to the most promising.
    w.path[ply] = here
    n = successors(state, w.rows[ply])
    tried = n
    if is_placing(state):
        tried = select_placings(state, ply, n, depth, best_row, w)
    else:
        rank_moves(state, ply, n, best_row, w)
        if few_moves:
            tried = min(n, MOVES_TRIED + 2 * depth)
    partial = tried < n or n == w.ranks.shape[1]
    best, best_row = -INFINITE, NO_ROW
    lowest = alpha
    sharing = w.control[THREAD_COUNT] > 1 and depth >= (
        DEFER_DEPTH if tried == n else DEFER_DEPTH_PLACING
    )

    # 10. Try the moves in the order of their ranks, then those that were put off.
    step = searched = postponed = 0
    while step < tried + postponed:
        if step == tried:
            keep_deferred(ply, n, w)
        row = pick_next_row(ply, n, w)
        after = load(state, w.rows[ply], row)
        quiet_after = quiet + 1 if is_quiet(state, after) else 0
        step += 1

        # 11. A weak player does not see every move.
        child = key(after)
        if is_overlooked(child, ply + 1, w.control):
            continue

        # 12. What another thread is just searching comes last: by then the table knows it.
        if sharing:
            if 1 < step <= tried and w.being_searched[child & (DEFER_SLOTS - 1)] == child:
                w.ranks[ply, row] = DEFERRED_RANK
                postponed += 1
                continue
            w.being_searched[child & (DEFER_SLOTS - 1)] = child

        # 13. Late move reduction, with a window that only asks whether the move is better than
        #     the best so far; the first move gets the whole window.
        less = late_move_reduction(state, searched + postponed, depth, urgent, alpha, beta)
        scout = alpha + 1 if searched else beta
        reply = NO_SCORE
        if step > tried:
            reply = cutoff_by_other_thread(
                after, depth - 1 - less, -scout, -alpha, ply + 1, quiet_after, w
            )
        if reply == NO_SCORE:
            reply = search(after, depth - 1 - less, -scout, -alpha, ply + 1, quiet_after, w)
        score = -reply

        # 14. Search again what turned out better: in full depth, then with the whole window.
        if less and score > alpha:
            score = -search(after, depth - 1, -scout, -alpha, ply + 1, quiet_after, w)
        if searched and alpha < score < beta:
            score = -search(after, depth - 1, -beta, -alpha, ply + 1, quiet_after, w)
        if sharing:
            w.being_searched[child & (DEFER_SLOTS - 1)] = 0
        if w.control[STOP_FLAG]:
            return 0
        searched += 1

        # 15. A new best move; if it is too good to be allowed, the others need no search.
        if score > best:
            best, best_row = score, row
            if score > alpha:
                alpha = score
                if score >= beta:
                    record_fail_high(state, ply, row, depth, w)
                    break

    # 16. Remember the score. A loss is not proved where a move was left out: it may be better.
    if searched == 0:
        return noisy_evaluation(state, ply, quiet, w)
    if partial and best < -PROVED_THRESHOLD:
        best = -MAX_ESTIMATE
    bound = LOWER_BOUND if best >= beta else EXACT if best > lowest else UPPER_BOUND
    store_entry(
        w.table, place, pack_entry(score_from_root(best, -ply), max(depth, 0), bound, best_row)
    )
    return best


@compiled
def table_move_row(state: Any, quiet: int, w: Workspace) -> int:
    """The row of the move that a search found best here, or -1 if nothing is remembered."""
    n = successors(state, w.rows[MAX_PLY])
    if urgency(state) == WIN_IN_ONE:
        for row in range(n):
            if winner(load(state, w.rows[MAX_PLY], row)) == state.turn & 1:
                return row
    here = salted_key(key(state), w)
    for place in (here, mix64(here + quiet)):
        entry = probe_transposition(w.table, place)
        if entry != NO_ENTRY and entry_row(entry) < n:
            return entry_row(entry)
    return -1
