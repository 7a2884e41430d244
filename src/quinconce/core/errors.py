"""The errors of the library: each is a ValueError whose first argument is a Phrase."""

from __future__ import annotations

from quinconce.core.phrase import Phrase, _, ngettext, quote


class MoveError(ValueError):
    """A move that was not played, with the text that was sent, the position and the reason.

    >>> from quinconce import Match, game
    >>> try:
    ...     Match(game("diam")).play("m@1")
    ... except MoveError as error:
    ...     print(error.text, "-", error.why)
    m@1 - the brown reserve is not yours
    """

    def __init__(self, text: object, position: str, why: Phrase) -> None:
        super().__init__(
            _(
                "{move} in position «{position}»: {why}",
                move=quote(text),
                position=position,
                why=why,
            )
        )
        self.text = text
        self.position = position
        self.why = why

    def __reduce__(self) -> tuple[type[MoveError], tuple[object, str, Phrase]]:
        return type(self), (self.text, self.position, self.why)  # for errors between processes


class InvalidMoveError(MoveError):
    """Not a move of this game, whatever the position.

    >>> from quinconce import Match, game
    >>> try:
    ...     Match(game("diam")).play("e2-e4")
    ... except InvalidMoveError as error:
    ...     print(error.text)
    e2-e4
    """


class IllegalMoveError(MoveError):
    """A move of this game, but not now.

    >>> from quinconce import Match, game
    >>> try:
    ...     Match(game("diam")).play("1.1-2")
    ... except IllegalMoveError as error:
    ...     print(error.why)
    there is no pawn at 1.1
    """


class GameOverError(MoveError):
    """The game has ended: nothing can be played any more.

    >>> from quinconce import Match, game
    >>> match = Match(game("diam"))
    >>> match.resign(0).winners
    (1,)
    >>> try:
    ...     match.play("r@1")
    ... except GameOverError as error:
    ...     print(error.why)
    the game is over: resignation
    """


class TooManyMovesError(ValueError):
    """A position with more moves than can be listed, and how many were counted."""

    def __init__(self, counted: int) -> None:
        super().__init__(
            ngettext(
                "this position has too many moves: {n} was counted before the count stopped",
                "this position has too many moves: {n} were counted before the count stopped",
                counted,
            )
        )
        self.counted = counted

    def __reduce__(self) -> tuple[type[TooManyMovesError], tuple[int]]:
        return type(self), (self.counted,)


class RecordError(ValueError):
    """A record that cannot be read, with the line and the number of the move where it fails.

    >>> from quinconce import Record
    >>> try:
    ...     Record.read("no record")
    ... except RecordError as error:
    ...     print(error)
    this is not a record: it has no headers
    """

    def __init__(self, why: Phrase, line: int | None = None, move: int | None = None) -> None:
        if line is not None and move is not None:
            message = _("line {line}, move {move}: {why}", line=line, move=move, why=why)
        elif line is not None:
            message = _("line {line}: {why}", line=line, why=why)
        elif move is not None:
            message = _("move {move}: {why}", move=move, why=why)
        else:
            message = why
        super().__init__(message)
        self.line = line
        self.move = move
        self.why = why

    def __reduce__(self) -> tuple[type[RecordError], tuple[Phrase, int | None, int | None]]:
        return type(self), (self.why, self.line, self.move)


class NoHostError(ValueError):
    """The engine cannot run on this machine: nothing here runs modules of WebAssembly."""


def phrase_of(error: BaseException) -> Phrase | None:
    """What an error says to people; None for an error that is a defect of the program."""
    first = error.args[0] if isinstance(error, ValueError) and error.args else None
    return first if isinstance(first, Phrase) else None


def error_line(error: BaseException) -> str:
    """The error of a library in one line; its kind, if it says nothing."""
    return str(error).split("\n")[0] or type(error).__name__
