"""Many games at once, a touch in each: what a batch of a learner is made of, compiled."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from quinconce.core.match import LAST_OCCURRENCE
from quinconce.kernels.bits import mix64
from quinconce.kernels.compiled import compiled
from quinconce.kernels.protocol import (
    SuccessorRows,
    Touches,
    after_touches,
    is_quiet,
    jammed,
    key,
    load,
    next_touches,
    reserve_count,
    winner,
    write_pieces,
)

Int8Array = npt.NDArray[np.int8]
Int64Array = npt.NDArray[np.int64]

# Why a game is over; what the board decides comes first, as in a match.
GOES_ON, BY_BOARD, BY_PASSES, BY_REPETITION, BY_QUIET, STOPPED = range(6)
NOBODY: Final = -1
GOLDEN_RATIO: Final = 0x1E3779B97F4A7C15
LARGEST_CELL: Final = 127  # of an observation


class BatchGames(NamedTuple):
    """The games, one a row."""

    starts: SuccessorRows  # the states that they begin anew from
    states: SuccessorRows
    paths: Int64Array  # the touches of a turn that is half made
    lengths: Int64Array  # how many there are
    keys: Int64Array  # of all positions since the start, with room for one ply more
    plies: Int64Array
    quiet: Int64Array  # quiet turns in a row
    passes: Int64Array  # passes in a row
    repetitions: Int64Array  # how often the position came up before
    twice: Int64Array  # 1 where a position that may come again has come up twice
    ended: Int64Array
    winners: Int64Array  # the side, or NOBODY
    mask: Int8Array  # of legal actions; the last is `done`


class BatchRules(NamedTuple):
    """What looks back, for one form of a game."""

    max_plies: int
    quiet_limit: int  # or -1
    forgets: int  # 1 where no position before a turn that was not quiet comes again
    sides: Int64Array  # of the player to move, by turn
    passes_to_end: Int64Array  # passes in a row that end the game, by the turn of the last


class ObservationPlan(NamedTuple):
    """Where the numbers of an observation go."""

    seats: Int64Array  # by turn
    piece_planes: Int64Array  # by seat and kind of piece
    cell_columns: Int64Array
    reserve_columns: Int64Array  # by kind of piece; -1 for none
    field_columns: Int64Array  # of a row of states
    touch_plane: int  # the first of two; numbers of the position follow


@compiled
def store_mask(games: BatchGames, game: int, places: Touches, n: int, done: bool) -> None:
    """Write the legal actions of a game: n places, and whether one may be done."""
    last = games.mask.shape[1] - 1
    for action in range(last):
        games.mask[game, action] = 0
    for place in range(n):
        games.mask[game, places[place]] = 1
    games.mask[game, last] = 1 if done else 0


@compiled
def begin_turn(state: Any, games: BatchGames, game: int, places: Touches) -> None:
    """What may be touched first; nothing where the game is over."""
    games.lengths[game] = 0
    n, passes = 0, False
    if games.ended[game] == GOES_ON:
        n, passes = next_touches(state, games.paths[game], 0, places)
    store_mask(games, game, places, n, passes)


@compiled
def reset_game(form: Any, games: BatchGames, game: int, places: Touches) -> None:
    """Begin a game anew from its start."""
    for field in range(games.states.shape[1]):
        games.states[game, field] = games.starts[game, field]
    state = load(form, games.states, game)
    games.plies[game] = games.quiet[game] = games.passes[game] = 0
    games.repetitions[game] = games.twice[game] = 0
    games.keys[game, 0] = key(state)
    won = winner(state)
    games.ended[game] = GOES_ON if won < 0 else BY_BOARD
    games.winners[game] = won
    begin_turn(state, games, game, places)


@compiled
def count_occurrences(games: BatchGames, rules: BatchRules, game: int, name: int) -> int:
    """How often the position came up before this ply, in turns of the same player."""
    now, cycle = games.plies[game], rules.sides.size
    first = now - games.quiet[game] if rules.forgets else 0
    found = 0
    ply = now - cycle
    while ply >= first:
        if games.keys[game, ply] == name:
            found += 1
        ply -= cycle
    return found


@compiled
def end_game(state: Any, games: BatchGames, rules: BatchRules, game: int, before: int) -> None:
    """Note whether the game is over, and who has won: what the board decides, then what looks back.

    `before` is the turn that was just played.
    """
    won = winner(state)
    games.winners[game] = won
    ended = GOES_ON
    if won >= 0:
        ended = BY_BOARD
    elif games.passes[game] >= rules.passes_to_end[before]:
        ended = BY_PASSES
    elif games.repetitions[game] >= LAST_OCCURRENCE:
        ended = BY_REPETITION
    elif 0 <= rules.quiet_limit <= games.quiet[game]:
        ended = BY_QUIET
    elif games.plies[game] >= rules.max_plies:
        ended = STOPPED
    if ended in (BY_REPETITION, BY_QUIET):
        ahead, own = jammed(state), rules.sides[state.turn]
        if ahead != 0:
            games.winners[game] = own if ahead > 0 else 1 - own
    games.ended[game] = ended


@compiled
def play_turn(state: Any, games: BatchGames, rules: BatchRules, game: int, places: Touches) -> None:
    """Play the move that the touches of a game have made."""
    length = games.lengths[game]
    after_touches(state, games.paths[game], length, games.states, game)
    after = load(state, games.states, game)
    games.passes[game] = games.passes[game] + 1 if length == 0 else 0
    games.quiet[game] = games.quiet[game] + 1 if is_quiet(state, after) else 0
    games.plies[game] += 1
    name = key(after)
    games.keys[game, games.plies[game]] = name
    games.repetitions[game] = count_occurrences(games, rules, game, name)
    if rules.forgets and games.quiet[game] == 0:
        games.twice[game] = 0
    elif games.repetitions[game] > 0:
        games.twice[game] = 1
    end_game(after, games, rules, game, state.turn)
    begin_turn(after, games, game, places)


@compiled
def step_games(
    form: Any,
    games: BatchGames,
    rules: BatchRules,
    actions: Int64Array,
    first: int,
    last: int,
    places: Touches,
) -> None:
    """An action in each of some games; those that are over begin anew instead."""
    done = games.mask.shape[1] - 1
    for game in range(first, last):
        if games.ended[game] != GOES_ON:
            reset_game(form, games, game, places)
            continue
        state = load(form, games.states, game)
        action, length = actions[game], games.lengths[game]
        if action != done:
            games.paths[game, length] = action
            games.lengths[game] = length + 1
            n, whole = next_touches(state, games.paths[game], length + 1, places)
            if n > 0:
                store_mask(games, game, places, n, whole)
                continue
        play_turn(state, games, rules, game, places)


@compiled
def reset_games(form: Any, games: BatchGames, which: Int64Array, places: Touches) -> None:
    """Begin some games anew."""
    for game in which:
        reset_game(form, games, game, places)


@compiled
def first_illegal(games: BatchGames, actions: Int64Array) -> int:
    """The first game that goes on and whose action is not legal, or -1."""
    for game in range(actions.size):
        action = actions[game]
        if games.ended[game] == GOES_ON and (
            action < 0 or action >= games.mask.shape[1] or games.mask[game, action] == 0
        ):
            return game
    return -1


@compiled
def choose_random_actions(
    games: BatchGames, seeds: Int64Array, actions: Int64Array, first: int, last: int
) -> None:
    """One of the legal actions of each game, all equally likely; 0 where it is over."""
    for game in range(first, last):
        legal = 0
        for action in range(games.mask.shape[1]):
            legal += games.mask[game, action]
        actions[game] = 0
        if legal:
            seeds[game] += GOLDEN_RATIO
            left = (mix64(seeds[game]) & 0x7FFFFFFF) * legal >> 31
            for action in range(games.mask.shape[1]):
                if games.mask[game, action]:
                    if left == 0:
                        actions[game] = action
                        break
                    left -= 1


@compiled
def observe_games(
    form: Any,
    games: BatchGames,
    rules: BatchRules,
    plan: ObservationPlan,
    seat: int,
    out: npt.NDArray[np.int8],
    first: int,
    last: int,
    pieces: Int64Array,
) -> None:
    """Write what a seat sees of some games; -1 for the player to move of each."""
    for game in range(first, last):
        state = load(form, games.states, game)
        viewer = plan.seats[state.turn] if seat < 0 else seat
        for plane in range(plan.touch_plane + 2):
            for column in range(out.shape[2]):
                out[game, plane, column] = 0
        write_pieces(state, pieces)
        for cell in range(plan.cell_columns.size):
            if pieces[cell]:
                plane = plan.piece_planes[viewer, pieces[cell] - 1]
                out[game, plane, plan.cell_columns[cell]] = 1
        for kind in range(plan.reserve_columns.size):
            if plan.reserve_columns[kind] >= 0:
                plane = plan.piece_planes[viewer, kind]
                out[game, plane, plan.reserve_columns[kind]] = reserve_count(state, kind)
        observe_path(games, plan, out, game)
        observe_numbers(state, games, rules, plan, viewer, out, game)


@compiled
def observe_path(
    games: BatchGames, plan: ObservationPlan, out: npt.NDArray[np.int8], game: int
) -> None:
    """Write the touches of a turn that is half made: the first of each place, and the last."""
    for touch in range(games.lengths[game]):
        place = games.paths[game, touch]
        if out[game, plan.touch_plane, place] == 0:
            out[game, plan.touch_plane, place] = touch + 1
        out[game, plan.touch_plane + 1, place] = touch + 1


@compiled
def observe_numbers(
    state: Any,
    games: BatchGames,
    rules: BatchRules,
    plan: ObservationPlan,
    viewer: int,
    out: npt.NDArray[np.int8],
    game: int,
) -> None:
    """Write the planes that say one number each."""
    plane = plan.touch_plane + 2
    for field in range(plan.field_columns.size):
        fill_plane(out, game, plane + field, games.states[game, plan.field_columns[field]])
    plane += plan.field_columns.size
    limit = rules.quiet_limit
    fill_plane(out, game, plane, LARGEST_CELL if limit < 0 else limit - games.quiet[game])
    fill_plane(out, game, plane + 1, games.repetitions[game])
    fill_plane(out, game, plane + 2, games.passes[game])
    fill_plane(out, game, plane + 3, state.turn)
    fill_plane(out, game, plane + 4, viewer)


@compiled
def fill_plane(out: npt.NDArray[np.int8], game: int, plane: int, number: int) -> None:
    """Write a number in every column of a plane."""
    for column in range(out.shape[2]):
        out[game, plane, column] = min(number, LARGEST_CELL)
