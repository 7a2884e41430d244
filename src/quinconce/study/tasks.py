"""Tasks of a lesson: what a move has to do, judged by the rules alone.

A task is written as conditions with commas between them, and a move has to meet all of them:

    like PATTERN …    the move is written like one of these; * stands for anything
    places            a piece comes from the reserve
    captures [N]      at least N pieces of others leave the board, by default one
    wins [N]          the mover's side wins within N of its moves, by default at once
    safe              the game is not lost, and no reply wins at once
    unharmed          no reply takes a piece of the mover's side
    draws             the game ends without a winner
    only              no other move meets the other conditions (a claim that tests check)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final, NamedTuple

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.option import parse_number
from quinconce.core.phrase import Phrase, _
from quinconce.words.sentences import seat_name

ONLY: Final = "only"
LONGEST_WIN: Final = 2  # moves: a longer search would keep people waiting


class Attempt(NamedTuple):
    """A legal move that was played last in a match."""

    match: Match[Any]

    @property
    def game(self) -> Game[Any]:
        """The game that is played."""
        return self.match.game

    @property
    def before(self) -> Any:
        """The position in which the move was played."""
        return self.match.positions[-2]

    @property
    def side(self) -> int:
        """The side that has moved."""
        return self.game.side(self.game.seat(self.before))

    def replies(self) -> Iterator[tuple[str, Any]]:
        """What another side can play now, and where it leads; nothing once the match is over."""
        match, game = self.match, self.game
        if match.outcome() is None and game.side(match.seat) != self.side:
            yield from game.moves(match.position)


class Condition(NamedTuple):
    """One part of a task."""

    name: str
    words: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """The number behind the name, 1 if there is none."""
        return int(self.words[0]) if self.words else 1

    def is_met(self, attempt: Attempt) -> bool:
        """Whether a move meets it."""
        return CONDITIONS[self.name](attempt, self)


class Task(NamedTuple):
    """What a move has to do: all of its conditions."""

    conditions: tuple[Condition, ...]
    unique: bool = False  # whether the lesson claims that one move alone does it

    def is_met(self, attempt: Attempt) -> bool:
        """Whether a move does it."""
        return all(condition.is_met(attempt) for condition in self.conditions)

    def refutation(self, attempt: Attempt) -> Phrase | None:
        """The reply that shows what is wrong with a move, where one does."""
        for condition in self.conditions:
            if condition.name in REFUTATIONS and not condition.is_met(attempt):
                answers, words = REFUTATIONS[condition.name]
                if reply := next(answers(attempt), None):
                    player = seat_name(attempt.game, attempt.match.seat)
                    return words.fill(player=player, move=reply)
        return None


def parse_task(text: str) -> Task:
    """The task that is written so; ValueError, saying why, for anything else."""
    parts = [part.split() for part in text.split(",")]
    found = [Condition(words[0], tuple(words[1:])) for words in parts if words]
    if len(found) != len(parts):
        raise ValueError(f"{text!r} has an empty condition")
    for condition in found:
        check_condition(condition)
    conditions = tuple(condition for condition in found if condition.name != ONLY)
    if not conditions:
        raise ValueError(f"{text!r} asks for nothing")
    return Task(conditions, len(conditions) < len(found))


def check_condition(condition: Condition) -> None:
    """ValueError if there is no such condition, or if it is not written so."""
    name, words = condition
    if name not in CONDITIONS and name != ONLY:
        raise ValueError(f"there is no condition {name!r}: write {', '.join((*CONDITIONS, ONLY))}")
    if name == "like":
        if not words:
            raise ValueError("like needs moves")
        return
    most = {"captures": 99, "wins": LONGEST_WIN}.get(name)
    fits = not words or (
        most is not None and len(words) == 1 and (parse_number(words[0]) or 0) in range(1, most + 1)
    )
    if not fits:
        raise ValueError(f"{' '.join((name, *words))!r} is not a condition")


# The conditions.


def is_like(attempt: Attempt, condition: Condition) -> bool:
    """Whether the move is written like one of some patterns."""
    return any(fnmatchcase(attempt.match.moves[-1], pattern) for pattern in condition.words)


def places(attempt: Attempt, _condition: Condition) -> bool:
    """Whether a piece comes from the reserve."""
    return "@" in attempt.match.moves[-1]


def captures(attempt: Attempt, condition: Condition) -> bool:
    """Whether enough pieces of others leave the board."""
    taken = attempt.game.pieces_taken(attempt.before, attempt.match.position)
    return len(taken) >= condition.number


def wins(attempt: Attempt, condition: Condition) -> bool:
    """Whether the side that has moved wins within a number of its moves, this one included."""
    if outcome := attempt.match.outcome():
        return attempt.side in map(attempt.game.side, outcome.winners)
    return forces_win(attempt.game, attempt.match.position, attempt.side, condition.number - 1)


def forces_win(game: Game[Any], position: Any, side: int, moves: int) -> bool:
    """Whether a side wins within a number of its moves, whatever is replied."""
    if outcome := game.outcome(position):
        return side in map(game.side, outcome.winners)
    if not moves:
        return False
    own = game.side(game.seat(position)) == side
    found = (forces_win(game, after, side, moves - own) for _text, after in game.moves(position))
    return any(found) if own else all(found)


def winning_replies(attempt: Attempt) -> Iterator[str]:
    """The replies that win at once."""
    for text, after in attempt.replies():
        outcome = attempt.game.outcome(after)
        if outcome and attempt.side not in map(attempt.game.side, outcome.winners):
            yield text


def capturing_replies(attempt: Attempt) -> Iterator[str]:
    """The replies that take a piece of the side that has moved."""
    game, now = attempt.game, attempt.match.position
    return (text for text, after in attempt.replies() if game.pieces_taken(now, after))


def is_safe(attempt: Attempt, _condition: Condition) -> bool:
    """Whether the move has not lost the game, and no reply wins at once."""
    outcome = attempt.match.outcome()
    if outcome and outcome.winners and attempt.side not in map(attempt.game.side, outcome.winners):
        return False
    return next(winning_replies(attempt), None) is None


def is_unharmed(attempt: Attempt, _condition: Condition) -> bool:
    """Whether no reply captures."""
    return next(capturing_replies(attempt), None) is None


def draws(attempt: Attempt, _condition: Condition) -> bool:
    """Whether the game ends without a winner."""
    outcome = attempt.match.outcome()
    return outcome is not None and not outcome.winners


CONDITIONS: Final[Mapping[str, Callable[[Attempt, Condition], bool]]] = {
    "like": is_like,
    "places": places,
    "captures": captures,
    "wins": wins,
    "safe": is_safe,
    "unharmed": is_unharmed,
    "draws": draws,
}
# How somebody learns what is wrong: the replies that show it, and the words.
REFUTATIONS: Final[Mapping[str, tuple[Callable[[Attempt], Iterator[str]], Phrase]]] = {
    "safe": (winning_replies, _("{player} would win with {move}.")),
    "unharmed": (capturing_replies, _("{player} would capture with {move}.")),
}
