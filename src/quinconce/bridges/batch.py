"""Thousands of games at once as NumPy arrays, played by the compiled kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from quinconce.bridges.actions import ActionError, actions_of
from quinconce.bridges.episode import COUNTED_WIN, MAX_PLIES, check_plies
from quinconce.bridges.extras import missing_extra
from quinconce.bridges.observations import observations_of
from quinconce.core.game import Game
from quinconce.core.phrase import _, quote
from quinconce.core.registry import game as game_by_name
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
EVERYTHING: Final = slice(None)


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
        **options: object,
    ) -> None:
        if options and isinstance(game, Game):
            raise ValueError(
                _("{game} has its options: give others with its name", game=quote(repr(game)))
            )
        self.game = game if isinstance(game, Game) else game_by_name(game, **options)
        check_plies(max_plies)
        for name, number in (("size", size), ("threads", threads), ("max_plies", max_plies)):
            if not isinstance(number, int) or number < 1:
                raise ValueError(
                    _("{name} is {wrong}, but must be a number from 1").fill(
                        name=name, wrong=quote(number)
                    )
                )
        self.size, self.threads = size, threads
        self.actions, self.observations = actions_of(self.game), observations_of(self.game)
        self.kernel = kernel_for(self.game)
        self.form = self.kernel.encode(self.game.start())
        self.rules = batch_rules(self.game, max_plies)
        self._plan = observation_plan(self.game, self.form)
        self.games = new_games(self.game, size, max_plies)
        room = max(self.actions.count, len(self.game.cells))
        self._scratch = np.zeros((threads, room), np.int64)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._seeds = np.random.default_rng(seed).integers(-(1 << 63), 1 << 63, size, np.int64)
        self.reset(positions=[self.game.start()])

    # What the games are like now.

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
        if seat is not None and seat not in range(self.game.seats):
            raise ValueError(
                _("there is no seat {seat}: they go from 0 to {last}").fill(
                    seat=quote(seat), last=self.game.seats - 1
                )
            )
        out = np.empty((self.size, *self.observations.shape), np.int8)
        viewer = -1 if seat is None else seat
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
        chosen = np.asarray(actions)
        if chosen.shape != (self.size,) or chosen.dtype.kind not in "iu":
            raise ValueError(
                _("actions must be {size} whole numbers, not {shape} of {dtype}").fill(
                    size=self.size, shape=str(chosen.shape), dtype=str(chosen.dtype)
                )
            )
        chosen = chosen.astype(np.int64)
        wrong = int(kernel_batch.first_illegal(self.games, chosen))
        if wrong >= 0:
            raise ActionError(
                _("action {action} is not legal now in game {number}").fill(
                    action=int(chosen[wrong]), number=wrong
                )
            )
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

        They begin as they began last, or at positions: one for each, or one for all.
        """
        numbers = np.arange(self.size)[EVERYTHING if which is None else np.asarray(which)]
        if positions is not None:
            if len(positions) not in (1, len(numbers)):
                raise ValueError(_("give one position for all games, or one for each"))
            for position in positions:
                self.game.check(position)
            rows = [self.kernel.encode(position) for position in positions]
            self.games.starts[numbers] = np.array(rows, np.int64)
        kernel_batch.reset_games(self.form, self.games, numbers, self._scratch[0])

    def _share(self, work: Callable[[int, int, Int64Array], None]) -> None:
        """Do some work for all games, in as many threads as there are."""
        if self._pool is None:
            work(0, self.size, self._scratch[0])
            return
        ends = [self.size * n // self.threads for n in range(self.threads + 1)]
        list(self._pool.map(work, ends, ends[1:], self._scratch))


def new_games(game: Game[Any], size: int, max_plies: int) -> kernel_batch.BatchGames:
    """Arrays for a number of games, not begun yet."""
    kernel = kernel_for(game)
    fields = len(kernel.encode(game.start()))
    widths = (fields, fields, kernel.max_touches, max_plies + 1)
    starts, states, paths, keys = (np.zeros((size, width), np.int64) for width in widths)
    lengths, plies, quiet, passes, repetitions, ended, winners = np.zeros((7, size), np.int64)
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
