"""A puzzle, and the files in which the puzzles of each game are kept.

A file is text. A line `form` names the options of the puzzles below it; each of the others is

    ID GRADE GOAL PLIES ALONE | MOVES | POSITION

GOAL is `win`, within PLIES plies whatever is replied, or `hold`: not to lose for PLIES plies,
each time by the only move. ALONE says how certain it is that the first move is the only one: no
other wins within ALONE plies, or ever where it is `*`. MOVES are the solution against the best
defence.
"""

from __future__ import annotations

import datetime
import hashlib
from base64 import b32encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.option import options_text, parse_number, parse_options
from quinconce.core.phrase import _, quote
from quinconce.core.registry import game, game_class, names
from quinconce.core.symmetry import canonical_position
from quinconce.words.proven import count_turns

PUZZLE_FOLDER: Final = Path(__file__).parent / "files"
HEADING: Final = "# Puzzles: id, grade, goal, plies, alone | solution | position"
WIN, HOLD = PUZZLE_GOALS = ("win", "hold")
NO_OTHER_EVER: Final = "*"
GRADES: Final = 5
PUZZLE_ID_LENGTH: Final = 8
SHORTEST_SOLUTION: Final = 3  # plies of a solution


@dataclass(frozen=True)
class Puzzle:
    """A position in which one move leads to the goal."""

    game: Game[Any]
    position: Any
    goal: str
    plies: int
    alone: int | None  # no other move wins within a number of plies; None: no other ever does
    line: tuple[str, ...]  # a solution against the best defence
    id: str

    @property
    def side(self) -> int:
        """The side that is to solve it."""
        return self.game.side(self.game.seat(self.position))

    @property
    def turns(self) -> int:
        """How many moves the solver has to find."""
        return self.turns_within(self.plies)

    def turns_within(self, plies: int) -> int:
        """How many of the next plies are moves of the solver."""
        return count_turns(self.game, self.position, self.game.sides[self.side], plies)

    @property
    def grade(self) -> int:
        """From 1, two moves to find, to 5, six or more."""
        return min(max(self.turns - 1, 1), GRADES)

    def match(self, moves: Iterable[str] = ()) -> Match[Any]:
        """The match that begins here, with moves played in it."""
        match = Match(self.game, self.position)
        for text in moves:
            match.play(text)
        return match


def puzzle_id(rules: Game[Any], position: Any) -> str:
    """The id of a puzzle, which its symmetric ones share; it never changes."""
    first = rules.write(canonical_position(position, rules.symmetries()))
    text = f"{rules.name} {options_text(rules.chosen)} {first}"
    return b32encode(hashlib.sha256(text.encode()).digest()).decode().lower()[:PUZZLE_ID_LENGTH]


# Files.


def format_puzzles(puzzles: Iterable[Puzzle]) -> str:
    """The text of a file: forms in their order, the puzzles of each from easy to hard."""
    lines, last = [HEADING], None
    for puzzle in puzzles:
        if puzzle.game != last:
            last = puzzle.game
            lines.append(f"form {options_text(last.chosen)}".rstrip())
        alone = NO_OTHER_EVER if puzzle.alone is None else puzzle.alone
        moves, position = " ".join(puzzle.line), puzzle.game.write(puzzle.position)
        about = f"{puzzle.id} {puzzle.grade} {puzzle.goal} {puzzle.plies} {alone}"
        lines.append(f"{about} | {moves} | {position}")
    return "\n".join(lines) + "\n"


def parse_puzzles(name: str, text: str) -> Iterator[Puzzle]:
    """The puzzles of a game's file; ValueError, with the number of the line, if one is wrong."""
    rules: Game[Any] | None = None
    for n, line in enumerate(text.splitlines(), start=1):
        if not line or line.startswith("#"):
            continue
        try:
            if line.startswith("form"):
                rules = game(name, **parse_options(line.split()[1:]))
            elif rules is None:
                raise ValueError(_("the form of the game is missing"))
            else:
                yield parse_puzzle(rules, line)
        except ValueError as error:
            raise ValueError(_("line {line}: {why}", line=n, why=error.args[0])) from None


def parse_puzzle(rules: Game[Any], line: str) -> Puzzle:
    """The puzzle on a line."""
    parts = [part.split() for part in line.split("|")]
    if len(parts) != 3 or len(parts[0]) != 5 or not parts[1]:
        raise ValueError(_("{text} is not a puzzle", text=quote(line)))
    (id_, grade, goal, plies, alone), moves, words = parts
    length = parse_number(plies)
    far = None if alone == NO_OTHER_EVER else parse_number(alone)
    if (
        goal not in PUZZLE_GOALS
        or length is None
        or length < SHORTEST_SOLUTION
        or (far is None) != (alone == NO_OTHER_EVER)
    ):
        raise ValueError(_("{text} is not a puzzle", text=quote(line)))
    position = rules.read(" ".join(words))
    puzzle = Puzzle(rules, position, goal, length, far, tuple(moves), id_)
    if str(puzzle.grade) != grade:
        raise ValueError(_("the grade is {right}, not {wrong}", right=puzzle.grade, wrong=grade))
    return puzzle


@cache
def all_puzzles(name: str) -> tuple[Puzzle, ...]:
    """All puzzles of a game, whatever its options; none if there are none."""
    game_class(name)
    path = PUZZLE_FOLDER / f"{name}.txt"
    return tuple(parse_puzzles(name, path.read_text(encoding="utf-8"))) if path.exists() else ()


def puzzles_for(rules: Game[Any]) -> tuple[Puzzle, ...]:
    """The puzzles of a game with its options, from easy to hard."""
    return tuple(puzzle for puzzle in all_puzzles(rules.name) if puzzle.game == rules)


def games_with_puzzles(name: str) -> tuple[Game[Any], ...]:
    """The forms of a game that have puzzles."""
    return tuple(dict.fromkeys(puzzle.game for puzzle in all_puzzles(name)))


@cache
def puzzles_by_id() -> dict[str, Puzzle]:
    """Every shipped puzzle, by its id."""
    return {puzzle.id: puzzle for name in names() for puzzle in all_puzzles(name)}


def today() -> datetime.date:
    """The date in UTC."""
    return datetime.datetime.now(datetime.UTC).date()


def daily_puzzle(rules: Game[Any], day: datetime.date) -> Puzzle | None:
    """The puzzle of a day for a game with its options; None if it has no puzzles.

    Every puzzle comes once before one comes again, and each time in another order.
    """
    found = puzzles_for(rules)
    if not found:
        return None
    turn, place = divmod(day.toordinal(), len(found))
    return sorted(found, key=lambda each: order_key(turn, each))[place]


def order_key(turn: int, puzzle: Puzzle) -> bytes:
    """Where a puzzle stands the nth time that all of them come: as if drawn by lot."""
    return hashlib.sha256(f"{turn} {puzzle.id}".encode()).digest()
