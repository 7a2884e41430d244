"""Actions as numbers: an action touches a place of the board, or says that the turn is done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain, islice, permutations, product
from typing import Any, Final, TypeAlias

from quinconce.bridges.arguments import game_of, whole_number
from quinconce.core.game import PASS, Game
from quinconce.core.move_limit import MOVE_LIMIT, narrow_moves
from quinconce.core.phrase import Phrase, _, quote

# The numbering of actions and the planes of observations are one specification with one version:
# docs/actions-and-observations.md. What changes a number or a plane raises it.
VERSION: Final = 0
DONE: Final = "done"


def check_version(given: object) -> None:
    """ValueError if a program was made for another version of actions and observations."""
    if whole_number(given) != VERSION:
        raise ValueError(
            _(
                "actions and observations have version {version} here, not {wrong}",
                version=VERSION,
                wrong=quote(given),
            )
        )


class ActionError(ValueError):
    """An action that is none of the game, or is not legal now; nothing was changed."""

    def __init__(self, why: Phrase) -> None:
        super().__init__(why)


# A whole move: its text, and where it leads.
Play: TypeAlias = tuple[str, Any]
# What each action leads to, at the beginning of a turn or after some touches: the next touches, or
# the move that the touches have made.
Touches: TypeAlias = Mapping[int, "Touches | Play"]


class Actions:
    """The actions of a game: its places in the order of the board, its reserves, then `done`."""

    def __init__(self, game: Game[Any] | str) -> None:
        self.game = game = game_of(game)
        self.places = tuple(game.board().place_names())
        self.done = len(self.places)
        self.count = len(self.places) + 1
        self.numbers = {name: number for number, name in enumerate((*self.places, DONE))}
        # Moves are written in few ways. Of positions the last ones are kept, for bridges that ask
        # again: one with thousands of moves takes a megabyte.
        self.paths = lru_cache(maxsize=1 << 14)(self._paths)
        self.touches = lru_cache(maxsize=32)(self._touches)

    def __reduce__(self) -> tuple[Any, ...]:
        return actions_of, (self.game,)

    def name(self, action: int) -> str:
        """The place that an action touches, or `done`."""
        return DONE if action == self.done else self.places[action]

    def number(self, action: object) -> int:
        """An action as a plain number; ActionError if the game has no such action.

        Whole numbers of any kind will do, NumPy's too, and arrays of one without a shape.
        """
        if type(action) is int and 0 <= action < self.count:
            return action
        number = whole_number(action)
        if number is None or not 0 <= number < self.count:
            last = self.count - 1
            raise ActionError(
                _(
                    "{action} is no action: they go from 0 to {last}",
                    action=quote(action),
                    last=last,
                )
            )
        return number

    def _paths(self, text: str) -> tuple[tuple[int, ...], ...]:
        """Every row of actions that plays a move, but for the `done` that may have to end it.

        There are several where places of one step may be touched in any order.
        """
        if text == PASS:
            return ((self.done,),)
        steps = [
            list(permutations(sorted(self.numbers[place] for place in step)))
            for step in self.game.touches(text)
        ]
        return tuple(tuple(chain.from_iterable(order)) for order in product(*steps))

    def _touches(self, position: Any) -> Touches:
        """What each first action of a turn leads to; nothing where the board ended the game.

        A path that is a move is played at once, unless a longer move begins with it: then `done`
        plays it. `done` as the first action is a pass, which is legal where nothing else is.
        """
        plays = list(islice(self.game.moves(position), MOVE_LIMIT + 1))
        if len(plays) > MOVE_LIMIT:
            return LongTouches(self, position, ())
        tree: dict[int, Any] = {}
        paths, done = self.paths, self.done
        for play in plays:
            for path in paths(play[0]):
                here, last = tree, path[-1]
                for action in path[:-1]:
                    below = here.get(action)
                    if below is None:
                        below = here[action] = {}
                    elif type(below) is tuple:
                        below = here[action] = {done: below}
                    here = below
                if last in here:
                    here[last][done] = play
                else:
                    here[last] = play
        return tree


class LongTouches(Mapping[int, "Touches | Play"]):
    """The touches where a position has more moves than can be listed, each made when asked for."""

    def __init__(self, actions: Actions, position: Any, touched: tuple[str, ...]) -> None:
        self.actions, self.position = actions, position
        narrowed = narrow_moves(actions.game, position, touched)
        self.touched, self.move = touched, narrowed.move
        self.numbers = sorted(actions.numbers[place] for place in narrowed.places)
        if self.move is not None and self.numbers:
            self.numbers.append(actions.done)

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[int]:
        return iter(self.numbers)

    def __getitem__(self, action: int) -> Touches | Play:
        if action not in self.numbers:
            raise KeyError(action)
        if action == self.actions.done:
            return self.play()
        place = self.actions.places[action]
        longer = LongTouches(self.actions, self.position, (*self.touched, place))
        return longer if longer else longer.play()

    def play(self) -> Play:
        """The move that the touches have made."""
        assert self.move is not None
        return self.move, self.actions.game.after(self.position, self.move)


@lru_cache(maxsize=64)
def actions_of(game: Game[Any] | str) -> Actions:
    """The actions of a game, or of the one with this name; made once."""
    return Actions(game)
