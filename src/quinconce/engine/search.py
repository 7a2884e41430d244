"""One search for every two-sided game: alpha-beta in depth, specialised by the kind of state."""

from __future__ import annotations

from typing import Any, Final

from quinconce.engine.scores import (
    INFINITE,
    JAM,
    MINOR,
    MOST_HOPED,
    NO_SCORE,
    PROMISED,
    PROVED,
    WIN,
    from_root,
    plies_to,
)
from quinconce.engine.transpositions import (
    EXACT,
    LOWER,
    NO_ROW,
    NOTHING,
    UPPER,
    bound_of,
    depth_of,
    packed,
    recalled,
    remember,
    row_of,
    score_of,
)
from quinconce.engine.workspace import (
    BLIND,
    DEEPEST,
    NODES,
    NOISE,
    PROVING,
    QUIET,
    SEED,
    SIGHT,
    SLOTS,
    STOP,
    THREADS,
    TRACES,
    Numbers,
    Workspace,
)
from quinconce.kernels.bits import mixed
from quinconce.kernels.compiled import compiled
from quinconce.kernels.protocol import (
    CALM,
    WON,
    evaluate,
    index,
    is_quiet,
    jammed,
    key,
    load,
    placing,
    successors,
    urgency,
    winner,
)

CALMING: Final = 10  # plies that a search goes on beyond its depth while threats are answered
RANKED_FIRST: Final = 1 << 40  # the move that the table remembers
KILLER: Final = 1 << 30
POSTPONED: Final = -(1 << 50)
GONE: Final = -(1 << 51)
GROPED: Final = 4  # from this depth on, a first move that nobody knows is found at less cost
SHARED: Final = 3  # below this depth a position is not worth telling the other threads about
SHARED_PLACING: Final = 2  # the same while pieces are placed, where hundreds of moves are weighed


@compiled
def occurred(seen: Numbers, here: int) -> int:
    """How often a position occurred in the match so far."""
    slot = here & (seen.shape[0] - 1)
    while seen[slot, 1]:
        if seen[slot, 0] == here:
            times: int = seen[slot, 1]
            return times
        slot = (slot + 1) & (seen.shape[0] - 1)
    return 0


@compiled
def on_path(path: Numbers, here: int, ply: int) -> bool:
    """Whether the way to this ply came through the same position."""
    for before in range(ply - 2, -1, -2):  # noqa: SIM110 (compiled code has no generators)
        if path[before] == here:
            return True
    return False


@compiled
def estimate(state: Any, here: int, w: Workspace) -> int:
    """The evaluation, a weak player's with noise, within the bounds of what is not proved."""
    value = evaluate(state, w.weights)
    noise = w.control[NOISE]
    if noise:
        value += ((mixed(here ^ w.control[SEED]) & 0xFFFF) * (2 * noise + 1) >> 16) - noise
    return min(max(value, -MOST_HOPED), MOST_HOPED)


@compiled
def overlooked(here: int, ply: int, w: Workspace) -> bool:
    """Whether a weak player does not see this position."""
    blind = w.control[BLIND]
    return blind > 0 and ply >= w.control[SIGHT] and misses(here, blind, w.control[SEED])


@compiled
def misses(here: int, blind: int, seed: int) -> bool:
    """Whether somebody who is so blind does not see this position, this time."""
    return (mixed(here + seed) & 1023) < blind


@compiled
def traced(state: Any, rows: Numbers, row: int) -> int:
    """A number for what a move changes, the same wherever the same change is made."""
    changed = 0
    for field in range(2):
        changed = (changed ^ rows[row, field] ^ state[field]) * 0x2545F4914F6CDD1D
    return (changed >> 40) & (TRACES - 1)


@compiled
def promised(state: Any, ply: int, quiet: int, w: Workspace) -> int:
    """The score that the endings promise; 0 where they say nothing, or not in time.

    A worth tells the turns to the next capture, which must come before the quiet limit. Only what
    would be estimated is asked for: a search may find the end itself, and how soon it comes.
    """
    if w.endings.size == 0:
        return 0
    number = index(state)
    if number < 0 or number >= w.endings.size:
        return 0
    worth = int(w.endings[number])
    turns = abs(worth) - 1
    if worth == 0 or (w.control[QUIET] and quiet + turns > w.control[QUIET]):
        return 0
    return PROMISED - ply - turns if worth > 0 else ply + turns - PROMISED


@compiled
def rank(state: Any, ply: int, n: int, best: int, w: Workspace) -> None:
    """Say of each successor how early to try it."""
    side = state.turn & 1
    first, second = w.killers[ply, 0], w.killers[ply, 1]
    for row in range(n):
        trace = traced(state, w.rows[ply], row)
        value = w.history[side, trace]
        if trace == first:
            value += KILLER
        elif trace == second:
            value += KILLER >> 1
        w.ranks[ply, row] = value
    if best < n:
        w.ranks[ply, best] = RANKED_FIRST


@compiled
def narrowed(state: Any, ply: int, n: int, depth: int, best: int, w: Workspace) -> int:
    """While pieces are placed there are hundreds of moves: keep to those that look best.

    Each is evaluated for that, and counts as a node.
    """
    w.nodes[0] += n
    for row in range(n):
        w.ranks[ply, row] = -evaluate(load(state, w.rows[ply], row), w.weights)
    if best < n:
        w.ranks[ply, best] = RANKED_FIRST
    return min(n, 6 + 4 * max(depth, 0))


@compiled
def next_row(ply: int, n: int, w: Workspace) -> int:
    """The successor to try next; it will not be chosen again."""
    chosen = 0
    highest = GONE
    for row in range(n):
        if w.ranks[ply, row] > highest:
            chosen, highest = row, w.ranks[ply, row]
    w.ranks[ply, chosen] = GONE
    return chosen


@compiled
def only_postponed(ply: int, n: int, w: Workspace) -> None:
    """Leave nothing to be tried but the successors that were put off."""
    for row in range(n):
        if w.ranks[ply, row] != POSTPONED:
            w.ranks[ply, row] = GONE


@compiled
def refuted(state: Any, ply: int, row: int, depth: int, w: Workspace) -> None:
    """A move was too good to be allowed: try its like earlier elsewhere."""
    side, trace = state.turn & 1, traced(state, w.rows[ply], row)
    if w.killers[ply, 0] != trace:
        w.killers[ply, 1] = w.killers[ply, 0]
        w.killers[ply, 0] = trace
    w.history[side, trace] += max(depth, 1) * max(depth, 1)
    if w.history[side, trace] > KILLER >> 2:
        for other in range(TRACES):
            w.history[side, other] >>= 1


@compiled
def ended(state: Any, here: int, ply: int, quiet: int, w: Workspace) -> int:
    """The score where a match is over or goes round in circles; NO_SCORE where it goes on."""
    won = winner(state)
    if won >= 0:
        return WIN - ply if won == state.turn & 1 else ply - WIN
    limit = w.control[QUIET]
    if occurred(w.seen, here) >= 2 or (limit and quiet >= limit):
        return jammed(state) * (MINOR - ply if w.control[PROVING] else JAM)
    if on_path(w.path, here, ply):
        return jammed(state) * JAM
    return NO_SCORE


@compiled
def noticed(state: Any, here: int, ply: int, w: Workspace) -> int:
    """How urgent a position is; a weak player may not see that he can win at once."""
    urgent = urgency(state)
    return CALM if urgent == WON and overlooked(here, ply, w) else urgent


@compiled
def place_of(here: int, depth: int, quiet: int, w: Workspace) -> int:
    """The key of a position in the table.

    Where the quiet limit is within reach, the same position is another one a turn later.
    """
    here ^= w.control[PROVING]
    limit = w.control[QUIET]
    near = limit and quiet + max(depth, 0) + CALMING >= limit
    return mixed(here + quiet) if near else here


@compiled
def remembered(
    entry: int, depth: int, alpha: int, beta: int, ply: int, quiet: int, w: Workspace
) -> int:
    """The score if the table knows all that is asked; else NO_SCORE.

    A proof counts at any depth, if it comes before the quiet limit.
    """
    if entry == NOTHING:
        return NO_SCORE
    score = score_of(entry)
    if abs(score) > PROVED:
        if w.control[QUIET] and quiet + plies_to(score) >= w.control[QUIET]:
            return NO_SCORE
    elif depth_of(entry) < depth:
        return NO_SCORE
    score = from_root(score, ply)
    bound = bound_of(entry)
    if (
        (bound == EXACT and depth_of(entry) >= depth)
        or (bound & LOWER and score >= beta)
        or (bound & UPPER and score <= alpha)
    ):
        return score
    return NO_SCORE


@compiled
def handed_on(
    state: Any, depth: int, alpha: int, beta: int, ply: int, quiet: int, w: Workspace
) -> int:
    """What another thread found in a position that was put off meanwhile; or NO_SCORE.

    It may have searched a ply less, as this one would have done, because it met it first.
    """
    here = key(state)
    if ended(state, here, ply, quiet, w) != NO_SCORE:
        return NO_SCORE
    entry = recalled(w.table, place_of(here, depth, quiet, w))
    least = depth - 1 if depth >= GROPED else depth
    return remembered(entry, least, alpha, beta, ply, quiet, w)


@compiled
def reduction(searched: int, depth: int, urgent: int, alpha: int, beta: int) -> int:
    """How much less deep a late move is searched at first.

    Not at all where somebody is pressed, or where it is at stake how soon somebody wins.
    """
    if searched < 4 or depth < 3 or urgent != CALM or alpha <= -PROVED or beta >= PROVED:
        return 0
    return 2 if searched >= 12 and depth >= 6 else 1


@compiled
def search(
    state: Any, depth: int, alpha: int, beta: int, ply: int, quiet: int, w: Workspace
) -> int:
    """The score of a position within a window; what lies outside is only a bound."""
    if w.nodes[0] >= w.control[NODES]:
        w.control[STOP] = 1
    if w.control[STOP]:
        return 0
    w.nodes[0] += 1
    here = key(state)
    over = ended(state, here, ply, quiet, w)
    if over != NO_SCORE:
        return over
    urgent = noticed(state, here, ply, w)
    if urgent == WON:
        return WIN - ply - 1
    if depth <= 0:
        promise = promised(state, ply, quiet, w)
        if promise:
            return promise
    if ply >= DEEPEST - 1 or (depth <= 0 and (urgent == CALM or depth <= -CALMING)):
        return estimate(state, here, w)
    alpha = max(alpha, ply - WIN)
    beta = min(beta, WIN - ply - 1)
    if alpha >= beta:
        return alpha

    place = place_of(here, depth, quiet, w)
    entry = recalled(w.table, place)
    score = remembered(entry, depth, alpha, beta, ply, quiet, w)
    if score != NO_SCORE:
        return score
    best_row = NO_ROW if entry == NOTHING else row_of(entry)
    if entry == NOTHING and depth >= GROPED:
        depth -= 1

    w.path[ply] = here
    n = successors(state, w.rows[ply])
    tried = n
    if placing(state):
        tried = narrowed(state, ply, n, depth, best_row, w)
    else:
        rank(state, ply, n, best_row, w)
    partial = tried < n or n == w.rows.shape[1]
    best, best_row = -INFINITE, NO_ROW
    lowest = alpha
    sharing = w.control[THREADS] > 1 and depth >= (SHARED if tried == n else SHARED_PLACING)
    step = searched = postponed = 0
    while step < tried + postponed:
        if step == tried:
            only_postponed(ply, n, w)
        row = next_row(ply, n, w)
        after = load(state, w.rows[ply], row)
        calm = quiet + 1 if w.control[QUIET] and is_quiet(state, after) else 0
        step += 1
        child = key(after)
        if overlooked(child, ply + 1, w):
            continue
        if sharing:
            # What another thread is just searching comes last: by then the table knows it.
            if 1 < step <= tried and w.busy[child & (SLOTS - 1)] == child:
                w.ranks[ply, row] = POSTPONED
                postponed += 1
                continue
            w.busy[child & (SLOTS - 1)] = child
        # All but the first are only asked whether they are better.
        less = reduction(searched + postponed, depth, urgent, alpha, beta)
        scout = alpha + 1 if searched else beta
        told = NO_SCORE
        if step > tried:
            told = handed_on(after, depth - 1 - less, -scout, -alpha, ply + 1, calm, w)
        if told == NO_SCORE:
            told = search(after, depth - 1 - less, -scout, -alpha, ply + 1, calm, w)
        score = -told
        if less and score > alpha:
            score = -search(after, depth - 1, -scout, -alpha, ply + 1, calm, w)
        if searched and alpha < score < beta:
            score = -search(after, depth - 1, -beta, -alpha, ply + 1, calm, w)
        if sharing:
            w.busy[child & (SLOTS - 1)] = 0
        if w.control[STOP]:
            return 0
        searched += 1
        if score > best:
            best, best_row = score, row
            if score > alpha:
                alpha = score
                if score >= beta:
                    refuted(state, ply, row, depth, w)
                    break
    if searched == 0:
        return estimate(state, here, w)
    if partial and best < -PROVED:
        best = -MOST_HOPED  # a move that was left out may be better
    bound = LOWER if best >= beta else EXACT if best > lowest else UPPER
    remember(w.table, place, packed(from_root(best, -ply), max(depth, 0), bound, best_row))
    return best


@compiled
def answered(state: Any, quiet: int, w: Workspace) -> int:
    """The row of the move that a search found best here, or -1 if nothing is remembered."""
    n = successors(state, w.rows[DEEPEST])
    if urgency(state) == WON:
        for row in range(n):
            if winner(load(state, w.rows[DEEPEST], row)) == state.turn & 1:
                return row
    here = key(state) ^ w.control[PROVING]
    for place in (here, mixed(here + quiet)):
        entry = recalled(w.table, place)
        if entry != NOTHING and row_of(entry) < n:
            return row_of(entry)
    return -1
