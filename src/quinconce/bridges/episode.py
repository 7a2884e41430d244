"""An episode: a match played touch by touch, as every bridge shows it to its package."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from quinconce.bridges.actions import ActionError, Touches, actions_of
from quinconce.bridges.arguments import game_of, parse_max_plies
from quinconce.bridges.observations import Planes, observations_of
from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.phrase import _, quote
from quinconce.core.position import Outcome

Mask = npt.NDArray[np.int8]
Policy = Callable[[Planes, Mask], Any]  # from what a player sees and may do to an action
MAX_PLIES: Final = 1000  # moves after which an episode is stopped, unless another limit is given
ILLEGAL_REWARD: Final = -1.0  # of an action that is not legal, where it ends an episode
COUNTED_WIN: Final = 0.5  # what a win by counting is worth, after a jam; any other is worth 1


def rewards(game: Game[Any], outcome: Outcome | None) -> list[float]:
    """What each seat gets at the end; nothing for a draw or a match that was stopped."""
    if outcome is None or not outcome.winners:
        return [0.0] * game.seats
    worth = 1.0 if outcome.by is None else COUNTED_WIN
    return [worth if seat in outcome.winners else -worth for seat in range(game.seats)]


class Episode:
    """A match, the touches of a turn that is half made, and what may be touched next."""

    def __init__(
        self,
        game: Game[Any] | str,
        max_plies: int | None = MAX_PLIES,
        match: Match[Any] | None = None,
    ) -> None:
        self.game, self.max_plies = game_of(game), parse_max_plies(max_plies)
        self.actions, self.observations = actions_of(self.game), observations_of(self.game)
        self.match = Match(self.game) if match is None else match
        self._begin_turn()

    def _begin_turn(self) -> None:
        """Look at the position once: who is to move, whether it goes on, what may be touched."""
        match, most = self.match, self.max_plies
        self.path: tuple[int, ...] = ()
        self.seat = match.seat
        self.outcome = match.outcome()
        self.truncated = not self.outcome and most is not None and len(match.moves) >= most
        self.over = self.truncated or self.outcome is not None
        self.touches: Touches = {} if self.over else self.actions.touches(match.position)
        self._planes: dict[int, Planes] = {}  # what each seat saw when the turn began
        self._mask: Mask | None = None

    def touch(self, action: object) -> bool:
        """Touch a place, or be done; whether that made the turn whole.

        ActionError if the action is not legal now; then nothing has changed.
        """
        number = self.actions.number(action)
        below = self.touches.get(number)
        if below is None:
            raise ActionError(self._refusal(number))
        if isinstance(below, tuple):
            self.match.append(*below)
            self._begin_turn()
            return True
        self.path, self.touches, self._mask = (*self.path, number), below, None
        return False

    def play(self, text: str) -> None:
        """Play a whole move by its text, at the beginning of a turn; MoveError if it is illegal."""
        self.match.play(text)
        self._begin_turn()

    def _refusal(self, action: int) -> Any:
        if self.over:
            return _("the episode is over: begin another one")
        legal = ", ".join(map(str, self.legal_actions()))
        return _(
            "action {action} ({place}) is not legal now: choose among {legal}",
            action=action,
            place=quote(self.actions.name(action)),
            legal=legal,
        )

    def legal_actions(self) -> list[int]:
        """What may be touched next, in order."""
        return sorted(self.touches)

    def mask(self) -> Mask:
        """A 1 for every legal action of the player to move; a new array."""
        if self._mask is None:
            self._mask = np.zeros(self.actions.count, np.int8)
            self._mask[list(self.touches)] = 1
        return self._mask.copy()

    def observation(self, seat: int) -> Planes:
        """What a seat sees now; a new array."""
        planes = self._planes.get(seat)
        if planes is None:
            match = self.match
            planes = self._planes[seat] = self.observations.position_planes(
                seat, match.position, match.quiet, match.repetitions, match.passes
            )
        seen = planes.copy()
        if self.path:
            self.observations.add_path(seen, self.path)
        return seen

    def rewards(self) -> list[float]:
        """What each seat gets by the end of the match; nothing while it goes on."""
        return rewards(self.game, self.outcome)

    def copy(self) -> Episode:
        """The same episode, to be played on by itself."""
        other = copy(self)
        other.match = self.match.copy()
        return other

    def __deepcopy__(self, memo: object) -> Episode:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return restore, (self.game, self.max_plies, self.match, self.path)

    def __str__(self) -> str:
        """The position, and the places touched since."""
        touched = [self.actions.name(action) for action in self.path]
        return " ".join((self.game.write(self.match.position), *touched))


def restore(
    game: Game[Any], max_plies: int | None, match: Match[Any], path: tuple[int, ...]
) -> Episode:
    """The episode with this match and these touches."""
    episode = Episode(game, max_plies, match)
    for action in path:
        episode.touch(action)
    return episode
