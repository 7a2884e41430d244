"""The symmetries of a game as augmentation: observations and actions as each of them shows them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from quinconce.bridges.actions import actions_of
from quinconce.bridges.arguments import game_of, whole_number
from quinconce.bridges.observations import observations_of
from quinconce.core.game import Game
from quinconce.core.phrase import _, quote
from quinconce.core.symmetry import Symmetry

IntArray = npt.NDArray[np.intp]


class Augmentation:
    """All symmetries of a game, by number; number 0 changes nothing.

    `actions[n, a]` is the image of the action `a`.
    """

    def __init__(self, game: Game[Any] | str) -> None:
        self.game = game = game_of(game)
        self.symmetries = game.symmetries()
        self.count = len(self.symmetries)
        numbers, found = actions_of(game), observations_of(game)
        self.actions: IntArray = np.array(
            [
                [numbers.numbers[symmetry.places[place]] for place in numbers.places]
                + [numbers.done]
                for symmetry in self.symmetries
            ]
        )
        self._turn, self._seat = found.planes.index("turn"), found.planes.index("seat")
        # By symmetry and viewer: the plane that each plane of the image comes from.
        self._sources: IntArray = np.array(
            [
                [self._plane_sources(symmetry, seat) for seat in range(game.seats)]
                for symmetry in self.symmetries
            ]
        )

    def _plane_sources(self, symmetry: Symmetry, seat: int) -> list[int]:
        found = observations_of(self.game)
        before = [kind.letter.translate(symmetry.letters) for kind in found.kinds[seat]]
        after = [kind.letter for kind in found.kinds[symmetry.seats[seat]]]
        pieces = [before.index(letter) for letter in after]
        return [*pieces, *range(len(pieces), len(found.planes))]

    def observations(self, number: int, observations: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Observations, one or many, as a symmetry shows them: of the same dtype, new arrays."""
        self._check(number)
        found = observations_of(self.game)
        seen = np.asarray(observations)
        if seen.shape[-2:] != found.shape:
            raise ValueError(
                _("observations have the shape {right}, not {wrong}").fill(
                    right=str(found.shape), wrong=str(seen.shape)
                )
            )
        many = seen.reshape(-1, *found.shape)
        symmetry = self.symmetries[number]
        viewers = self._numbers(many[:, self._seat, 0], len(symmetry.seats))
        turns = self._numbers(many[:, self._turn, 0], len(symmetry.turns))
        columns = np.argsort(self.actions[number, :-1])
        planes = self._sources[number][viewers]
        turned = many[np.arange(len(many))[:, None, None], planes[:, :, None], columns]
        turned[:, self._turn] = np.array(symmetry.turns)[turns, None]
        turned[:, self._seat] = np.array(symmetry.seats)[viewers, None]
        images: npt.NDArray[Any] = turned.reshape(seen.shape)
        return images

    def by_action(self, number: int, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Masks, policies or other numbers of each action as a symmetry shows them."""
        self._check(number)
        if np.shape(array)[-1:] != self.actions.shape[1:]:
            raise ValueError(
                _("there are {right} actions, not {wrong}").fill(
                    right=self.actions.shape[1], wrong=str(np.shape(array))
                )
            )
        return np.asarray(array)[..., np.argsort(self.actions[number])]

    def _numbers(self, plane: npt.NDArray[Any], count: int) -> IntArray:
        """The seats or turns that a plane says; ValueError if it says none of the game."""
        if not np.isin(plane, np.arange(count)).all():
            raise ValueError(
                _("observations do not say whose they are: turn them round before they are scaled")
            )
        return plane.astype(np.intp)

    def _check(self, number: int) -> None:
        if whole_number(number) not in range(self.count):
            raise ValueError(
                _("there is no symmetry {number}: they go from 0 to {last}").fill(
                    number=quote(number), last=self.count - 1
                )
            )


@lru_cache(maxsize=64)
def augmentation_of(game: Game[Any] | str) -> Augmentation:
    """The symmetries of a game, or of the one with this name; made once."""
    return Augmentation(game)
