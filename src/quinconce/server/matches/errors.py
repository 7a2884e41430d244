"""Why something cannot be done in a match, beside what the rules refuse."""

from __future__ import annotations

from quinconce.core.phrase import _
from quinconce.server.refusals import RefusalError


class MatchNotFoundError(RefusalError):
    """There is no match with this id, or no longer."""

    code = "match"
    default_phrase = _("there is no such match; perhaps it has expired")


class StaleError(RefusalError):
    """The match has gone on since the event that the sender knows."""

    code = "stale"
    default_phrase = _("the match has gone on: look at it again")

    def __init__(self, seq: int) -> None:
        super().__init__(seq=seq)


class NotYourTurnError(RefusalError):
    """Another seat is to move."""

    code = "turn"
    default_phrase = _("it is not your turn")


class TooLongError(RefusalError):
    """The match has as many moves or events as the settings allow."""

    code = "length"
    default_phrase = _("this match is as long as the server allows")


class PlayerPresentError(RefusalError):
    """The seat cannot be lent to the engine: its player is there, or was a moment ago."""

    code = "present"
    default_phrase = _("that player is here, or was a moment ago: wait a little")


class StorageError(RefusalError):
    """The database cannot be written: its disk is full, or gone, or may only be read."""

    code = "storage"
    default_phrase = _("the server cannot save now, so this was not taken: try again later")


class UnreachableError(RefusalError):
    """The database does not answer."""

    code = "unreachable"
    default_phrase = _("the server cannot reach its database: try again in a moment")
