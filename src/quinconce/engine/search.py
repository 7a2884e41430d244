"""One search for every two-sided game: alpha-beta in depth, specialised by the kind of state."""

from __future__ import annotations

from typing import Any, Final

from quinconce.engine.scores import (
    COUNTED_WIN,
    ENDGAME_WIN,
    INFINITE,
    JAM_SCORE,
    MAX_ESTIMATE,
    NO_SCORE,
    PROVED_THRESHOLD,
    WIN,
    plies_to_end,
    score_from_root,
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
    probe_transposition,
    store_entry,
)
from quinconce.engine.workspace import (
    BLIND_FROM_PLY,
    BLINDNESS,
    DEFER_SLOTS,
    EVALUATION_NOISE,
    KEY_SALT,
    MAX_PLY,
    NODE_LIMIT,
    QUIET_LIMIT,
    SIGNATURE_COUNT,
    STOP_FLAG,
    THREAD_COUNT,
    WEAKNESS_SEED,
    Int64Array,
    Workspace,
)
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
    successors,
    urgency,
    winner,
)

QUIESCENCE_PLIES: Final = (
    10  # plies that a search goes on beyond its depth while threats are answered
)
TABLE_MOVE_RANK: Final = 1 << 40  # the move that the table remembers
KILLER_RANK: Final = 1 << 30
DEFERRED_RANK: Final = -(1 << 50)
TRIED_RANK: Final = -(1 << 51)
IIR_DEPTH: Final = 4  # from this depth on, a first move that nobody knows is found at less cost
DEFER_DEPTH: Final = 3  # below this depth a position is not worth telling the other threads about
DEFER_DEPTH_PLACING: Final = (
    2  # the same while pieces are placed, where hundreds of moves are weighed
)


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
    """Whether the way to this ply came through the same position."""
    for before in range(ply - 2, -1, -2):  # noqa: SIM110 (compiled code has no generators)
        if path[before] == here:
            return True
    return False


@compiled
def noisy_evaluation(state: Any, here: int, w: Workspace) -> int:
    """The evaluation, a weak player's with noise, within the bounds of what is not proved."""
    value = evaluate(state, w.weights)
    noise = w.control[EVALUATION_NOISE]
    if noise:
        value += ((mix64(here ^ w.control[WEAKNESS_SEED]) & 0xFFFF) * (2 * noise + 1) >> 16) - noise
    return min(max(value, -MAX_ESTIMATE), MAX_ESTIMATE)


@compiled
def is_overlooked(here: int, ply: int, w: Workspace) -> bool:
    """Whether a weak player does not see this position."""
    blind = w.control[BLINDNESS]
    return (
        blind > 0
        and ply >= w.control[BLIND_FROM_PLY]
        and is_missed(here, blind, w.control[WEAKNESS_SEED])
    )


@compiled
def is_missed(here: int, blind: int, seed: int) -> bool:
    """Whether somebody who is so blind does not see this position, this time."""
    return (mix64(here + seed) & 1023) < blind


@compiled
def move_signature(state: Any, rows: Int64Array, row: int) -> int:
    """A number for what a move changes, the same wherever the same change is made."""
    changed = 0
    for field in range(2):
        changed = (changed ^ rows[row, field] ^ state[field]) * 0x2545F4914F6CDD1D
    return (changed >> 40) & (SIGNATURE_COUNT - 1)


@compiled
def endgame_score(state: Any, ply: int, quiet: int, w: Workspace) -> int:
    """The score that the endings promise; 0 where they say nothing, or not in time.

    A worth tells the turns to the next capture, which must come before the quiet limit. Only what
    would be estimated is asked for: a search may find the end itself, and how soon it comes.
    """
    if w.endgame_distances.size == 0:
        return 0
    number = index(state)
    if number < 0 or number >= w.endgame_distances.size:
        return 0
    worth = int(w.endgame_distances[number])
    turns = abs(worth) - 1
    if worth == 0 or (w.control[QUIET_LIMIT] and quiet + turns > w.control[QUIET_LIMIT]):
        return 0
    return ENDGAME_WIN - ply - turns if worth > 0 else ply + turns - ENDGAME_WIN


@compiled
def rank_moves(state: Any, ply: int, n: int, best: int, w: Workspace) -> None:
    """Say of each successor how early to try it."""
    side = state.turn & 1
    first, second = w.killers[ply, 0], w.killers[ply, 1]
    for row in range(n):
        trace = move_signature(state, w.rows[ply], row)
        value = w.history[side, trace]
        if trace == first:
            value += KILLER_RANK
        elif trace == second:
            value += KILLER_RANK >> 1
        w.ranks[ply, row] = value
    if best < n:
        w.ranks[ply, best] = TABLE_MOVE_RANK


@compiled
def select_placings(state: Any, ply: int, n: int, depth: int, best: int, w: Workspace) -> int:
    """While pieces are placed there are hundreds of moves: keep to those that look best.

    Each is evaluated for that, and counts as a node.
    """
    w.nodes[0] += n
    for row in range(n):
        w.ranks[ply, row] = -evaluate(load(state, w.rows[ply], row), w.weights)
    if best < n:
        w.ranks[ply, best] = TABLE_MOVE_RANK
    return min(n, 6 + 4 * max(depth, 0))


@compiled
def pick_next_row(ply: int, n: int, w: Workspace) -> int:
    """The successor to try next; it will not be chosen again."""
    chosen = 0
    highest = TRIED_RANK
    for row in range(n):
        if w.ranks[ply, row] > highest:
            chosen, highest = row, w.ranks[ply, row]
    w.ranks[ply, chosen] = TRIED_RANK
    return chosen


@compiled
def keep_deferred(ply: int, n: int, w: Workspace) -> None:
    """Leave nothing to be tried but the successors that were put off."""
    for row in range(n):
        if w.ranks[ply, row] != DEFERRED_RANK:
            w.ranks[ply, row] = TRIED_RANK


@compiled
def record_fail_high(state: Any, ply: int, row: int, depth: int, w: Workspace) -> None:
    """A move was too good to be allowed: try its like earlier elsewhere."""
    side, trace = state.turn & 1, move_signature(state, w.rows[ply], row)
    if w.killers[ply, 0] != trace:
        w.killers[ply, 1] = w.killers[ply, 0]
        w.killers[ply, 0] = trace
    w.history[side, trace] += max(depth, 1) * max(depth, 1)
    if w.history[side, trace] > KILLER_RANK >> 2:
        for other in range(SIGNATURE_COUNT):
            w.history[side, other] >>= 1


@compiled
def terminal_score(state: Any, here: int, ply: int, quiet: int, w: Workspace) -> int:
    """The score where a match is over or goes round in circles; NO_SCORE where it goes on."""
    won = winner(state)
    if won >= 0:
        return WIN - ply if won == state.turn & 1 else ply - WIN
    limit = w.control[QUIET_LIMIT]
    if occurrence_count(w.occurrences, here) >= 2 or (limit and quiet >= limit):
        return jammed(state) * (COUNTED_WIN - ply if w.control[KEY_SALT] else JAM_SCORE)
    if is_on_path(w.path, here, ply):
        return jammed(state) * JAM_SCORE
    return NO_SCORE


@compiled
def visible_urgency(state: Any, here: int, ply: int, w: Workspace) -> int:
    """How urgent a position is; a weak player may not see that he can win at once."""
    urgent = urgency(state)
    return CALM if urgent == WIN_IN_ONE and is_overlooked(here, ply, w) else urgent


@compiled
def table_key(here: int, depth: int, quiet: int, w: Workspace) -> int:
    """The key of a position in the table.

    Where the quiet limit is within reach, the same position is another one a turn later.
    """
    here ^= w.control[KEY_SALT]
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
def late_move_reduction(searched: int, depth: int, urgent: int, alpha: int, beta: int) -> int:
    """How much less deep a late move is searched at first.

    Not at all where somebody is pressed, or where it is at stake how soon somebody wins.
    """
    if (
        searched < 4
        or depth < 3
        or urgent != CALM
        or alpha <= -PROVED_THRESHOLD
        or beta >= PROVED_THRESHOLD
    ):
        return 0
    return 2 if searched >= 12 and depth >= 6 else 1


@compiled
def search(
    state: Any, depth: int, alpha: int, beta: int, ply: int, quiet: int, w: Workspace
) -> int:
    """The score of a position within a window; what lies outside is only a bound."""
    if w.nodes[0] >= w.control[NODE_LIMIT]:
        w.control[STOP_FLAG] = 1
    if w.control[STOP_FLAG]:
        return 0
    w.nodes[0] += 1
    here = key(state)
    over = terminal_score(state, here, ply, quiet, w)
    if over != NO_SCORE:
        return over
    urgent = visible_urgency(state, here, ply, w)
    if urgent == WIN_IN_ONE:
        return WIN - ply - 1
    if depth <= 0:
        promise = endgame_score(state, ply, quiet, w)
        if promise:
            return promise
    if ply >= MAX_PLY - 1 or (depth <= 0 and (urgent == CALM or depth <= -QUIESCENCE_PLIES)):
        return noisy_evaluation(state, here, w)
    alpha = max(alpha, ply - WIN)
    beta = min(beta, WIN - ply - 1)
    if alpha >= beta:
        return alpha

    place = table_key(here, depth, quiet, w)
    entry = probe_transposition(w.table, place)
    score = table_cutoff(entry, depth, alpha, beta, ply, quiet, w)
    if score != NO_SCORE:
        return score
    best_row = NO_ROW if entry == NO_ENTRY else entry_row(entry)
    if entry == NO_ENTRY and depth >= IIR_DEPTH:
        depth -= 1

    w.path[ply] = here
    n = successors(state, w.rows[ply])
    tried = n
    if is_placing(state):
        tried = select_placings(state, ply, n, depth, best_row, w)
    else:
        rank_moves(state, ply, n, best_row, w)
    partial = tried < n or n == w.rows.shape[1]
    best, best_row = -INFINITE, NO_ROW
    lowest = alpha
    sharing = w.control[THREAD_COUNT] > 1 and depth >= (
        DEFER_DEPTH if tried == n else DEFER_DEPTH_PLACING
    )
    step = searched = postponed = 0
    while step < tried + postponed:
        if step == tried:
            keep_deferred(ply, n, w)
        row = pick_next_row(ply, n, w)
        after = load(state, w.rows[ply], row)
        calm = quiet + 1 if w.control[QUIET_LIMIT] and is_quiet(state, after) else 0
        step += 1
        child = key(after)
        if is_overlooked(child, ply + 1, w):
            continue
        if sharing:
            # What another thread is just searching comes last: by then the table knows it.
            if 1 < step <= tried and w.being_searched[child & (DEFER_SLOTS - 1)] == child:
                w.ranks[ply, row] = DEFERRED_RANK
                postponed += 1
                continue
            w.being_searched[child & (DEFER_SLOTS - 1)] = child
        # All but the first are only asked whether they are better.
        less = late_move_reduction(searched + postponed, depth, urgent, alpha, beta)
        scout = alpha + 1 if searched else beta
        told = NO_SCORE
        if step > tried:
            told = cutoff_by_other_thread(after, depth - 1 - less, -scout, -alpha, ply + 1, calm, w)
        if told == NO_SCORE:
            told = search(after, depth - 1 - less, -scout, -alpha, ply + 1, calm, w)
        score = -told
        if less and score > alpha:
            score = -search(after, depth - 1, -scout, -alpha, ply + 1, calm, w)
        if searched and alpha < score < beta:
            score = -search(after, depth - 1, -beta, -alpha, ply + 1, calm, w)
        if sharing:
            w.being_searched[child & (DEFER_SLOTS - 1)] = 0
        if w.control[STOP_FLAG]:
            return 0
        searched += 1
        if score > best:
            best, best_row = score, row
            if score > alpha:
                alpha = score
                if score >= beta:
                    record_fail_high(state, ply, row, depth, w)
                    break
    if searched == 0:
        return noisy_evaluation(state, here, w)
    if partial and best < -PROVED_THRESHOLD:
        best = -MAX_ESTIMATE  # a move that was left out may be better
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
    here = key(state) ^ w.control[KEY_SALT]
    for place in (here, mix64(here + quiet)):
        entry = probe_transposition(w.table, place)
        if entry != NO_ENTRY and entry_row(entry) < n:
            return entry_row(entry)
    return -1
