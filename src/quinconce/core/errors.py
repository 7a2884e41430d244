"""The errors of the library: each is a ValueError whose first argument is a Phrase."""

from __future__ import annotations

from quinconce.core.phrase import Phrase, _, ngettext, quote


class MoveError(ValueError):
    """A move that was not played, with the text that was sent, the position and the reason."""

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
    """Not a move of this game, whatever the position."""


class IllegalMoveError(MoveError):
    """A move of this game, but not now."""


class GameOverError(MoveError):
    """The game has ended: nothing can be played any more."""


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
    """A record that cannot be read, with the line and the number of the move where it fails."""

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


def phrase_of(error: BaseException) -> Phrase | None:
    """What an error says to people; None for an error that is a defect of the program."""
    first = error.args[0] if isinstance(error, ValueError) and error.args else None
    return first if isinstance(first, Phrase) else None


def error_line(error: BaseException) -> str:
    """The error of a library in one line; its kind, if it says nothing."""
    return str(error).split("\n")[0] or type(error).__name__
