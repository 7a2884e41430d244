"""Why a request is refused before or beside any match: who asks, from where, how often."""

from __future__ import annotations

from quinconce.core.phrase import _, ngettext
from quinconce.server.refusals import RefusalError


class UnknownHostError(RefusalError):
    """The request calls the server by a name that is not its own."""

    code = "host"
    default_phrase = _("this server does not go by that name")


class ForeignOriginError(RefusalError):
    """The request comes from a page of another site."""

    code = "origin"
    default_phrase = _("this came from another site")


class CsrfError(RefusalError):
    """The CSRF token is missing or wrong."""

    code = "csrf"
    default_phrase = _("the page is too old: load it again")


class TokenError(RefusalError):
    """The bearer token is malformed, or opens nothing."""

    code = "token"


class WrongLinkError(RefusalError):
    """The secret of a link opens no seat of its match."""

    code = "secret"
    default_phrase = _("this link opens no seat: perhaps there is a newer one")


class NotYourSeatError(RefusalError):
    """The seat belongs to somebody else."""

    code = "seat"
    default_phrase = _("this seat is not yours")


class TooManyRequestsError(RefusalError):
    """An address has sent more requests than it may."""

    code = "rate"


class TooManyMatchesError(RefusalError):
    """An address has made more matches than it may."""

    code = "matches"
    default_phrase = _("too many matches from one address: wait a little")


class BatchTooLargeError(RefusalError):
    """One request asks for more matches than it may."""

    code = "matches"

    def __init__(self, limit: int) -> None:
        super().__init__(
            ngettext(
                "at most {n} match can be made at once",
                "at most {n} matches can be made at once",
                limit,
            )
        )


class TooManyStudiesError(RefusalError):
    """An address has made more studies than it may."""

    code = "studies"
    default_phrase = _("too many studies from one address: wait a little")


class TooManySecretsError(RefusalError):
    """An address has sent too many secrets that open nothing."""

    code = "secrets"
    default_phrase = _("too many wrong links or tokens from one address: wait a little")


class TooManyStreamsError(RefusalError):
    """As many streams are open as may be."""

    code = "streams"
    default_phrase = _("too many streams are open: close one of them")


class StoppingError(RefusalError):
    """The server is about to stop, and begins nothing new."""

    code = "stopping"
    default_phrase = _("this server is about to stop: try again in a few seconds")
