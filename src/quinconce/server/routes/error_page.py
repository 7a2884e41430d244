"""The page that tells people what went wrong."""

from __future__ import annotations

from typing import Any, Final

from litestar import Response

from quinconce.core.phrase import _
from quinconce.core.registry import game_class, names
from quinconce.server.errors import error_response
from quinconce.server.language import negotiate_voice
from quinconce.server.refusals import MatchNotFoundError
from quinconce.server.routes.common import AnyRequest, page_response
from quinconce.words import Voice

ERROR_HELP: Final = {
    403: _("Open the link that you were given again, or reload the page."),
    404: _("Check the address, or go on from here:"),
    421: _("The person who runs this server can allow this name: quinconce serve --name NAME"),
    422: _("There is a mistake in the address."),
    429: _("Wait a minute, then load the page again."),
    507: _("The disk of the server may be full: tell the person who runs it."),
    500: _("Load the page again in a moment. Games are safe: every move is stored when played."),
}


MATCH_HELP: Final = _(
    "A match that nobody has begun is deleted after a week, and the person who "
    "made a match may delete it at any time. If you were sent a link, check "
    "that it was copied whole."
)
NO_SUCH_PAGE: Final = _("there is no page at this address")


def error_page(request: AnyRequest, fault: Exception) -> Response[Any]:
    """The answer to a request that failed: a page for somebody who looks, else as programs want."""
    answer = error_response(request, fault)
    looks = "text/html" in request.headers.get("accept", "")
    if request.scope["path"].startswith("/api") or not looks:
        return answer
    status = answer.status_code or 500
    say = negotiate_voice(request)
    why, help_ = str(answer.content["error"]), ERROR_HELP.get(status, ERROR_HELP[500])
    if answer.content["code"] == "missing":
        why = say(NO_SUCH_PAGE)
    elif answer.content["code"] == MatchNotFoundError.code:
        help_ = MATCH_HELP
    return page_response(
        request,
        "fault.html",
        status,
        heading=say(_("Nothing here") if status == 404 else _("This did not work")),
        why=why,
        help=say(help_),
        games=game_titles(say) if status == 404 else {},
    )


def game_titles(say: Voice) -> dict[str, str]:
    """The title of every game, by its name."""
    return {name: say(game_class(name).title) for name in names()}
