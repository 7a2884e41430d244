"""What a game is: a pure function from a position to its named successors."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import ClassVar, Final, Generic, final

from quinconce.core import counts
from quinconce.core.board import Board, Piece, begins_with, continuations
from quinconce.core.errors import GameOverError, IllegalMoveError, InvalidMoveError
from quinconce.core.option import Edition, Option, complete_options, parse_number
from quinconce.core.phrase import Phrase, _, ngettext, quote, together
from quinconce.core.position import REASONS, Outcome, P, PositionField, Tally
from quinconce.core.symmetry import Symmetry

PASS: Final = "pass"
EMPTY: Final = "."
# Characters of what somebody sends; longer texts are looked at no closer.
MAX_MOVE_LENGTH, MAX_POSITION_LENGTH = 400, 400
STEP_SEPARATOR: Final = re.compile(r"[@\-^x~]")  # what stands between the places of a move's text


class Game(ABC, Generic[P]):
    """The rules of one game with its options settled. It holds no position and never changes.

    >>> from quinconce import game
    >>> rules = game("diadema")
    >>> start = rules.start()
    >>> len(dict(rules.moves(start)))
    14
    >>> rules.write(rules.after(start, "@A"))
    'c....../....... turn=1'
    """

    # What a game says of itself; its name is that of its file.
    name: ClassVar[str]
    title: ClassVar[Phrase]
    summary: ClassVar[Phrase]
    how_to_write: ClassVar[Phrase]  # the notation, told to people
    options: ClassVar[Mapping[str, Option]] = {}
    editions: ClassVar[Sequence[Edition]]  # as a menu shows it; one for most games
    menu_order: ClassVar[int] = 100  # a menu lists the games with lower numbers first
    reasons: ClassVar[Mapping[str, Phrase]]  # why it can end, in words, beside the common reasons
    victories: ClassVar[Mapping[str, Phrase]] = {}  # the same as a loser reads it, of a {player}
    own_victories: ClassVar[Mapping[str, Phrase]] = {}  # and as the winner reads it
    fields: ClassVar[Sequence[PositionField]] = ()  # of a position, beside the board and the turn
    jam_options: ClassVar[frozenset[str]] = frozenset()  # that change no move, only when it jams
    rules: ClassVar[int] = 1  # the version of our reading of the sheet, named in records

    # What `__init__` of a game sets, because it may depend on the options.
    notation: str  # a regular expression for every move but `pass`
    cells: tuple[str, ...]  # the places that the letters of a position's board stand for
    width: int  # how many letters of the board make a row (or a pile, a circle) in its text
    letters: str  # the pieces
    cycle: tuple[int, ...] = (0, 1)  # the seats in the order of their turns
    sides: tuple[tuple[int, ...], ...] = ((0,), (1,))  # the seats that win together
    quiet_limit: int | None = None  # this many quiet turns in a row jam the game

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.name = cls.__module__.rpartition(".")[2]

    def __init__(self, /, **options: object) -> None:
        self.chosen = complete_options(self.options, options)

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.chosen.items())
        return f"game({self.name!r}{options})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.chosen == getattr(other, "chosen", None)

    def __hash__(self) -> int:
        return hash((self.name, *self.chosen.values()))

    @property
    def form_id(self) -> str:
        """The name and the options in one word, as files of a form of the game are named."""
        return "-".join((self.name, *self.chosen.values()))

    # The rules, which each game writes.

    @abstractmethod
    def start(self) -> P:
        """The position before the first move."""

    @abstractmethod
    def actions(self, position: P) -> Iterator[tuple[str, P]]:
        """Every move but `pass`, with where it leads, as long as the game goes on."""

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """What the board alone decides."""

    @abstractmethod
    def why(self, position: P, text: str) -> Phrase:
        """Why a move of this game is refused in this position."""

    @abstractmethod
    def make_board(self) -> Board:
        """The geometry, which never changes: `board` keeps it."""

    @property
    @abstractmethod
    def kinds(self) -> tuple[Piece, ...]:
        """The kinds of pieces, in the order of `letters`."""

    @property
    @abstractmethod
    def players(self) -> tuple[Phrase, ...]:
        """What each seat plays with, in words."""

    @abstractmethod
    def symmetries(self) -> Sequence[Symmetry]:
        """All maps that leave the rules as they are, standing still first."""

    # The rules that most games share.

    def disguises(self) -> Sequence[Symmetry]:
        """The maps under which advice on one position is advice on the other: the symmetries."""
        return self.symmetries()

    def reserve(self, position: P, letter: str) -> int:
        """How many pieces of a kind wait beside the board."""
        return 0

    def passed(self, position: P) -> P:
        """Where a `pass` leads."""
        return position._replace(turn=self.next_turn(position))

    def jammed(self, position: P, by: str) -> Outcome:
        """The end of a game stopped by repetition, quiet turns or agreement."""
        return Outcome((), by)

    def is_quiet(self, before: P, after: P) -> bool:
        """Whether a turn counts towards the quiet limit."""
        return False

    def touches(self, text: str) -> tuple[frozenset[str], ...]:
        """The path a finger takes: steps, each of one place or of several in any order."""
        if text == PASS:
            return ()
        return tuple(frozenset(step.split("+")) for step in STEP_SEPARATOR.split(text) if step)

    def same_move(self, position: P, text: str) -> str | None:
        """How a legal move is written that this text names in another way; None if it names none.

        The rules know one spelling of a move; where people type, any that means one thing will do.
        """
        return None

    def stops(self, position: P, text: str) -> frozenset[str]:
        """Where a finger may stop on its way to the last place of a legal move, beside `touches`.

        A piece that has come to such a place can go on to the end of this move.
        """
        return frozenset()

    def moves_along(self, position: P, touched: Sequence[str]) -> Iterator[tuple[str, P]]:
        """The legal moves that begin with these places, and where they lead."""
        moves = self.moves(position)
        return (move for move in moves if begins_with(self.touches(move[0]), touched))

    def next_places(self, position: P, touched: Sequence[str]) -> frozenset[str]:
        """The places that may be touched after these, so that a legal move begins with them."""
        moves = self.moves_along(position, touched)
        paths = (continuations(self.touches(text), touched) for text, _after in moves)
        return frozenset(chain.from_iterable(paths))

    def successor(self, position: P, text: str) -> P | None:
        """Where a move leads, found without listing the others; None if it is not legal."""
        if text == PASS:
            return dict(islice(self.moves(position), 1)).get(PASS)
        return next((after for move, after in self.moves(position) if move == text), None)

    def decisive(self, position: P) -> frozenset[str]:
        """The places whose pieces decided the game, to be shown at its end."""
        return frozenset()

    def faults(self, position: P) -> Iterator[Phrase]:
        """What makes a well-formed position impossible in this game."""
        return iter(())

    # What the rules tell people; a game says it better where it can.

    def aim(self, seat: int) -> Phrase:
        """How a seat wins, in one short sentence."""
        return self.summary

    def prompt(self, position: P, legal: Mapping[str, P]) -> Phrase:
        """What the rules ask of the player to move, in one sentence; `legal` is all their moves."""
        if PASS in legal:
            return _("You have no move: you pass.")
        placing = sum("@" in text for text in legal)
        if placing == len(legal):
            return _("Place a piece.")
        return _("Place a piece, or move one.") if placing else _("Move a piece.")

    def duty(self, position: P, legal: Mapping[str, P]) -> Phrase | None:
        """Why some pieces have to stand still now, though they could move at other times."""
        return None

    def hindrance(self, position: P, place: str) -> Phrase | None:
        """Why no move begins at a place, where this game has a reason of its own."""
        return None

    def tallies(self, position: P, seat: int) -> Sequence[Tally]:
        """What is counted for a seat; by default what waits beside the board."""
        kinds = [kind for kind in self.board().reserves if kind.seat == seat]
        n = sum(self.reserve(position, kind.letter) for kind in kinds)
        return [Tally("reserve", n, ngettext("{n} to place", "{n} to place", n))] if n else []

    def tell(self, before: P, text: str, after: P, mover: Phrase) -> Phrase:
        """What a move did, in words; `mover` is the subject of the sentence."""
        if text == PASS:
            return _("{mover} passed", mover=mover)
        steps = [step for step in STEP_SEPARATOR.split(text) if step]
        names = steps[-1].split("+")
        if "@" in text:
            pairs = zip(before.board, after.board, strict=True)
            came = next(new for old, new in pairs if new not in (old, EMPTY))
            piece = next(kind.indefinite for kind in self.kinds if kind.letter == came)
            return _("{mover} placed {piece} on {place}", mover=mover, piece=piece, place=names[0])
        if text[0] == "~":
            return _("{mover} took off {places}", mover=mover, places=together(names))
        ends: dict[str, object] = {"mover": mover, "start": steps[0], "end": steps[-1]}
        if taken := self.pieces_taken(before, after):
            if steps[0] == steps[-1]:
                return _("{mover} captured {places}, back on {start} at the end").fill(
                    **ends, places=together(taken)
                )
            return _("{mover} moved {start} to {end} and captured {places}").fill(
                **ends, places=together(taken)
            )
        if "^" in text:
            return _("{mover} jumped from {start} to {end}").fill(**ends)
        return _("{mover} moved {start} to {end}").fill(**ends)

    def pieces_taken(self, before: P, after: P) -> list[str]:
        """The cells from which a move took pieces of another side."""
        own = self.sides[self.side(self.seat(before))]
        others = {kind.letter for kind in self.kinds if kind.seat not in own}
        cells = zip(self.cells, before.board, after.board, strict=True)
        return [cell for cell, old, new in cells if old in others and new == EMPTY]

    # What follows from the rules, the same for every game.

    @cached_property
    def _board(self) -> Board:
        return self.make_board()

    @final
    def board(self) -> Board:
        """The geometry, made at the first call."""
        return self._board

    @property
    def seats(self) -> int:
        """How many people play."""
        return len(set(self.cycle))

    def seat(self, position: P) -> int:
        """Who is to move."""
        return self.cycle[position.turn]

    def side(self, seat: int) -> int:
        """The side a seat wins or loses with."""
        return next(number for number, side in enumerate(self.sides) if seat in side)

    def next_turn(self, position: P) -> int:
        """The step of the cycle after this one."""
        return (position.turn + 1) % len(self.cycle)

    @final
    def moves(self, position: P) -> Iterator[tuple[str, P]]:
        """Every legal move and where it leads: none when over, `pass` if there is nothing else."""
        if self.outcome(position) is not None:
            return iter(())
        actions = self.actions(position)
        for first in actions:
            return chain((first,), actions)
        return iter(((PASS, self.passed(position)),))

    @final
    def after(self, position: P, text: str) -> P:
        """Where a move leads, whatever came before; or the error that says why it cannot be."""
        short = isinstance(text, str) and len(text) <= MAX_MOVE_LENGTH
        if short and (found := self.successor(position, text)) is not None:
            return found
        here = self.write(position)
        if not short or not (text == PASS or re.fullmatch(self.notation, text)):
            raise InvalidMoveError(
                text, here, _("not a move of this game; {how}", how=self.how_to_write)
            )
        first = next(self.moves(position), None)
        if first is None:
            raise GameOverError(text, here, _("the game is over"))
        if text == PASS:
            raise IllegalMoveError(text, here, _("one may pass only if there is no other move"))
        if first[0] == PASS:
            raise IllegalMoveError(text, here, _("there is no move to play: one has to pass"))
        raise IllegalMoveError(text, here, self.why(position, text))

    @final
    def check(self, position: P) -> None:
        """ValueError, saying why, if the position is impossible."""
        for fault in chain(self._format_faults(position), self.faults(position)):
            raise ValueError(fault)

    def _format_faults(self, position: P) -> Iterator[Phrase]:
        board, turn, n, last = position.board, position.turn, len(self.cells), len(self.cycle) - 1
        if len(board) != n:
            yield ngettext(
                "the board has {n} cell, not {wrong}",
                "the board has {n} cells, not {wrong}",
                n,
                wrong=len(board),
            )
        if strange := board.strip(EMPTY + self.letters):
            known = ", ".join(self.letters)
            yield _(
                "there is no piece {letter}: write {known}", letter=quote(strange[0]), known=known
            )
        if not 0 <= turn <= last:
            yield _("turn is {turn}, but must be from 0 to {last}", turn=turn, last=last)

    @final
    def write(self, position: P) -> str:
        """The position on one line: the board row by row, then the other fields by name."""
        rows = [
            position.board[i : i + self.width] for i in range(0, len(position.board), self.width)
        ]
        fields = [f"{name}={getattr(position, name)}" for name in position._fields[1:]]
        return " ".join(["/".join(rows), *fields])

    @final
    def read(self, text: str) -> P:
        """The position that `write` wrote; ValueError, saying why, for anything else."""
        position = self.parse(text)
        self.check(position)
        return position

    @final
    def parse(self, text: str) -> P:
        """A position that the rules need not allow; ValueError if the text is none at all."""
        model = self.start()
        words = text.split() if isinstance(text, str) and len(text) <= MAX_POSITION_LENGTH else []
        if len(words) != len(model._fields):
            raise ValueError(
                _(
                    "{text} is not a position: one looks like «{model}»",
                    text=quote(text),
                    model=self.write(model),
                )
            )
        rows = words[0].split("/")
        if [len(row) for row in rows] != [self.width] * (len(self.cells) // self.width):
            raise ValueError(
                _(
                    "the board {board} must have {rows} of {cells}, with / between them",
                    board=quote(words[0]),
                    rows=counts.rows(len(self.cells) // self.width),
                    cells=counts.cells(self.width),
                )
            )
        fields = {}
        for name, word in zip(model._fields[1:], words[1:], strict=True):
            key, _equals, value = word.partition("=")
            if key != name or parse_number(value) is None:
                raise ValueError(
                    _("{word} stands where {name}=NUMBER should", word=quote(word), name=name)
                )
            fields[name] = parse_number(value)
        position = model._replace(board="".join(rows), **fields)
        for fault in self._format_faults(position):
            raise ValueError(fault)
        return position

    def pieces(self, position: P) -> dict[str, str]:
        """What stands where: place -> letter, and for a reserve as many letters as it holds."""
        standing = {
            cell: letter
            for cell, letter in zip(self.cells, position.board, strict=True)
            if letter != EMPTY
        }
        for piece in self.board().reserves:
            standing[piece.letter] = piece.letter * self.reserve(position, piece.letter)
        return standing

    def image(self, symmetry: Symmetry, position: P) -> P:
        """The position as a symmetry shows it."""
        return symmetry.image(position)

    def reason(self, outcome: Outcome) -> Phrase:
        """Why the game ended, in words."""
        return self.reasons.get(outcome.reason) or REASONS[outcome.reason]

    def won_by(self, position: P, outcome: Outcome) -> Phrase | None:
        """What won the game on the board, in words; None where the reason says it all."""
        return None

    def victory(self, outcome: Outcome) -> Phrase:
        """Why the winners won, as a loser reads it."""
        names = [self.players[seat] for seat in outcome.winners]
        template = self.victories.get(outcome.reason)
        return template.fill(player=together(names)) if template else self.reason(outcome)


def after_moves(game: Game[P], position: P, texts: Iterable[str]) -> P:
    """Play moves one after the other, ignoring everything that looks back."""
    for text in texts:
        position = game.after(position, text)
    return position


def perft(game: Game[P], position: P, depth: int) -> int:
    """The number of sequences of exactly `depth` moves; what looks back is ignored.

    >>> from quinconce import game
    >>> rules = game("buts")
    >>> perft(rules, rules.start(), 2)
    2116
    """
    if depth < 0:
        raise ValueError(_("the depth {depth} is less than 0", depth=depth))
    if depth == 0:
        return 1
    if depth == 1:
        return sum(1 for _move in game.moves(position))
    return sum(perft(game, after, depth - 1) for _text, after in game.moves(position))
