"""Thousands of games at once as NumPy arrays, played by the compiled kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from quinconce.bridges.actions import VERSION, ActionError, actions_of, check_version
from quinconce.bridges.arguments import (
    game_of,
    parse_count,
    parse_max_plies,
    parse_seat,
)
from quinconce.bridges.episode import COUNTED_WIN, MAX_PLIES
from quinconce.bridges.extras import missing_extra
from quinconce.bridges.observations import observations_of
from quinconce.core.game import Game
from quinconce.core.phrase import _, quote
from quinconce.kernels.homes import has_compiler, use_native

if not has_compiler():
    raise missing_extra(ModuleNotFoundError(name="numba"), "native")
use_native("quinconce.bridges.batch")

from quinconce.kernels import batch as kernel_batch  # noqa: E402 (compiled in the home chosen here)
from quinconce.kernels.kernel import kernel_for  # noqa: E402

Int8Array = npt.NDArray[np.int8]
Int64Array = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
REASONS: Final = ("", "board", "passes", "repetition", "quiet", "max_plies")
FIRST_PLIES: Final = 64  # of which the keys have room; more as games last longer


class Batch:
    """Games of one form, each a row of every array; a step is one action in each of them.

    Actions and observations are those of the other bridges. A game that is over stays as it is
    until the next step, which begins it anew and ignores its action. Arrays that are returned
    are the caller's.
    """

    def __init__(
        self,
        game: Game[Any] | str,
        size: int,
        /,
        *,
        seed: int = 0,
        max_plies: int = MAX_PLIES,
        threads: int = 1,
        version: int = VERSION,
        **options: object,
    ) -> None:
        check_version(version)
        self.game = game_of(game, **options)
        self.size, self.threads = parse_count("size", size), parse_count("threads", threads)
        self.max_plies = parse_count("max_plies", parse_max_plies(max_plies))
        self.actions, self.observations = actions_of(self.game), observations_of(self.game)
        self.kernel = kernel_for(self.game)
        self.form = self.kernel.encode(self.game.start())
        self.rules = batch_rules(self.game, self.max_plies)
        self._plan = observation_plan(self.game, self.form)
        self.games = new_games(self.game, self.size)
        room = max(self.actions.count, len(self.game.cells))
        self._scratch = np.zeros((self.threads, room), np.int64)
        self._pool: ThreadPoolExecutor | None = None  # made when it is needed
        chance = np.random.default_rng(seed)
        self._seeds = chance.integers(-(1 << 63), 1 << 63, self.size, np.int64)
        self.reset(positions=[self.game.start()])

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the threads, which a copy has of its own."""
        return {**vars(self), "_pool": None}

    # What the games are like now.

    @property
    def version(self) -> int:
        """The version of actions and observations: keep it with a policy that learns from them."""
        return VERSION

    @property
    def legal_mask(self) -> Int8Array:
        """A 1 for every legal action of the player to move; a row of 0 where a game is over."""
        return self.games.mask.copy()

    @property
    def done(self) -> BoolArray:
        """Which games are over, or were stopped after `max_plies` moves."""
        return np.not_equal(self.games.ended, kernel_batch.GOES_ON)

    @property
    def truncated(self) -> BoolArray:
        """Which games were stopped after `max_plies` moves."""
        return np.equal(self.games.ended, kernel_batch.STOPPED)

    @property
    def winner(self) -> Int64Array:
        """The side that has won, or -1: nobody yet, or a draw."""
        return self.games.winners.copy()

    @property
    def seat(self) -> Int64Array:
        """Who is to move."""
        turn = self.games.states[:, self.form._fields.index("turn")]
        return np.array(self.game.cycle)[turn]

    @property
    def plies(self) -> Int64Array:
        """How many moves have been played."""
        return self.games.plies.copy()

    def reason(self, number: int) -> str:
        """Why a game ended: board, passes, repetition, quiet or max_plies; empty as it goes on."""
        return REASONS[self.games.ended[number]]

    def rewards(self) -> npt.NDArray[np.float32]:
        """What each seat of each game gets by its end; nothing while it goes on."""
        games = self.games
        by_count = (games.ended == kernel_batch.BY_REPETITION) | (
            games.ended == kernel_batch.BY_QUIET
        )
        worth = np.where(games.winners < 0, 0.0, np.where(by_count, COUNTED_WIN, 1.0))
        sides = np.array([self.game.side(seat) for seat in range(self.game.seats)])
        won = games.winners[:, None] == sides
        return np.where(won, worth[:, None], -worth[:, None]).astype(np.float32)

    def observation(self, seat: int | None = None) -> Int8Array:
        """What the player to move of each game sees, or one seat of all games."""
        viewer = -1 if seat is None else parse_seat(self.game, seat)
        out = np.empty((self.size, *self.observations.shape), np.int8)
        games, rules, plan = self.games, self.rules, self._plan
        self._share(
            lambda first, last, room: kernel_batch.observe_games(
                self.form, games, rules, plan, viewer, out, first, last, room
            )
        )
        return out

    def position(self, number: int) -> Any:
        """The position of a game, as it was when its turn began."""
        row = self.games.states[number].tolist()
        return self.kernel.decode(type(self.form)(*row))

    def path(self, number: int) -> tuple[int, ...]:
        """The actions of a turn that is half made."""
        games = self.games
        return tuple(games.paths[number, : games.lengths[number]].tolist())

    # What changes them.

    def step(self, actions: npt.ArrayLike) -> None:
        """An action in each game that goes on; the others begin anew.

        ActionError if one is not legal, ValueError for another shape or dtype: nothing changes.
        """
        given = np.asarray(actions)
        if given.shape != (self.size,) or given.dtype.kind not in "iu":
            raise ValueError(
                _("actions must be {size} whole numbers, not {shape} of {dtype}").fill(
                    size=self.size, shape=str(given.shape), dtype=str(given.dtype)
                )
            )
        chosen = given.astype(np.int64)
        wrong = int(kernel_batch.first_illegal(self.games, chosen))
        if wrong >= 0:
            raise ActionError(
                _("action {action} is not legal now in game {number}").fill(
                    action=int(given[wrong]), number=wrong
                )
            )
        self._make_room_for_keys()
        games, rules = self.games, self.rules
        self._share(
            lambda first, last, room: kernel_batch.step_games(
                self.form, games, rules, chosen, first, last, room
            )
        )

    def random_actions(self) -> Int64Array:
        """A legal action for each game, all equally likely; the same for the same seed."""
        chosen = np.empty(self.size, np.int64)
        self._share(
            lambda first, last, room: kernel_batch.choose_random_actions(
                self.games, self._seeds, chosen, first, last
            )
        )
        return chosen

    def reset(
        self, which: npt.ArrayLike | None = None, positions: Sequence[Any] | None = None
    ) -> None:
        """Begin games anew: all, or those of a mask or of numbers.

        They begin as they began last, or at positions: one for each, or one for all. ValueError for
        games or positions that there are not: nothing changes.
        """
        numbers = self._numbers(which)
        if positions is not None:
            if not isinstance(positions, Sequence) or len(positions) not in (1, len(numbers)):
                raise ValueError(_("give one position for all games, or one for each"))
            rows = [self._encode(position) for position in positions]
            self.games.starts[numbers] = np.array(rows, np.int64).reshape(-1, len(self.form))
        kernel_batch.reset_games(self.form, self.games, numbers, self._scratch[0])

    def _numbers(self, which: npt.ArrayLike | None) -> Int64Array:
        """The games that a mask or numbers name."""
        every = np.arange(self.size)
        if which is None:
            return every
        named = np.asarray(which)
        if named.dtype == bool and named.shape == every.shape:
            found: Int64Array = every[named]
            return found
        if named.dtype == np.float64 and named.shape == (0,):  # an empty list
            return every[:0]
        if named.dtype.kind in "iu" and named.ndim == 1 and np.isin(named, every).all():
            return named.astype(np.int64)
        raise ValueError(
            _("{which} names no games: give a mask of {size}, or numbers from 0 to {last}").fill(
                which=quote(which), size=self.size, last=self.size - 1
            )
        )

    def _encode(self, position: Any) -> Any:
        if not isinstance(position, type(self.game.start())):
            raise ValueError(_("{wrong} is not a position", wrong=quote(position)))
        self.game.check(position)
        return self.kernel.encode(position)

    def _make_room_for_keys(self) -> None:
        """One ply more for the longest game: twice the room where it is used up."""
        keys = self.games.keys
        have, most = keys.shape[1], self.max_plies + 1
        if have < min(int(self.games.plies.max()) + 2, most):
            more = np.zeros((self.size, min(have, most - have)), np.int64)
            self.games = self.games._replace(keys=np.concatenate((keys, more), axis=1))

    def _share(self, work: Callable[[int, int, Int64Array], None]) -> None:
        """Do some work for all games, in as many threads as there are."""
        if self.threads == 1:
            work(0, self.size, self._scratch[0])
            return
        self._pool = self._pool or ThreadPoolExecutor(self.threads)
        ends = [self.size * n // self.threads for n in range(self.threads + 1)]
        list(self._pool.map(work, ends, ends[1:], self._scratch))


def new_games(game: Game[Any], size: int) -> kernel_batch.BatchGames:
    """Arrays for a number of games, not begun yet."""
    kernel = kernel_for(game)
    fields = len(kernel.encode(game.start()))
    widths = (fields, fields, kernel.max_touches, FIRST_PLIES)
    starts, states, paths, keys = (np.zeros((size, width), np.int64) for width in widths)
    lengths, plies, quiet, passes, repetitions, twice, ended, winners = np.zeros(
        (8, size), np.int64
    )
    return kernel_batch.BatchGames(
        starts=starts,
        states=states,
        paths=paths,
        lengths=lengths,
        keys=keys,
        plies=plies,
        quiet=quiet,
        passes=passes,
        repetitions=repetitions,
        twice=twice,
        ended=ended,
        winners=winners,
        mask=np.zeros((size, actions_of(game).count), np.int8),
    )


def batch_rules(game: Game[Any], max_plies: int) -> kernel_batch.BatchRules:
    """What looks back in a game."""
    cycle, seats = game.cycle, set(game.cycle)
    passes = [
        next(n for n in range(1, 1 + len(cycle)) if {cycle[turn - i] for i in range(n)} == seats)
        for turn in range(len(cycle))
    ]
    return kernel_batch.BatchRules(
        max_plies,
        -1 if game.quiet_limit is None else game.quiet_limit,
        # A turn that is not quiet cannot be undone, where a game has quiet ones at all.
        int(type(game).is_quiet is not Game.is_quiet),
        np.array([game.side(seat) for seat in cycle], np.int64),
        np.array(passes, np.int64),
    )


def observation_plan(game: Game[Any], state: Any) -> kernel_batch.ObservationPlan:
    """Where the numbers of an observation go."""
    found, numbers = observations_of(game), actions_of(game).numbers
    letters = [kind.letter for kind in game.kinds]
    planes = [
        [[kind.letter for kind in kinds].index(letter) for letter in letters]
        for kinds in found.kinds
    ]
    return kernel_batch.ObservationPlan(
        np.array(game.cycle, np.int64),
        np.array(planes, np.int64),
        np.array([numbers[cell] for cell in game.cells], np.int64),
        np.array(
            [numbers[kind.letter] if kind in game.board().reserves else -1 for kind in game.kinds],
            np.int64,
        ),
        np.array([state._fields.index(name) for name in found.fields], np.int64),
        found.first_touch,
    )
