"""The routes of playing a match: moves, resignations, agreements, one's seat, hints, remarks."""

from __future__ import annotations

from typing import Any

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody

from quinconce.server.answers.matches import (
    MINIMAL,
    ActRequest,
    ActResult,
    Hint,
    MatterRequest,
    MoveRequest,
    RemarkView,
    SeatRequest,
    remark_view,
    seat_act,
    submit_act,
)
from quinconce.server.language import negotiate_voice
from quinconce.server.matches import events
from quinconce.server.matches.events import AnyAct
from quinconce.server.routes.common import (
    POST_ERRORS,
    AnyRequest,
    LanguageQuery,
    MatchId,
    ServicesDep,
    after_response,
    error_responses,
    look_at,
)
from quinconce.server.services import Services


class Submitter:
    """Submits acts to one match for the sender of a request."""

    def __init__(self, services: Services, request: AnyRequest, match: str) -> None:
        self.services = services
        self.request = request
        self.match = match

    async def submit(self, wish: ActRequest, act: AnyAct) -> Response[Any]:
        """Authenticate, lock, commit, answer with the view if it is wanted, tell the others."""
        services, request, match = self.services, self.request, self.match
        look = await look_at(services, request, match)
        done = await submit_act(services, request, match, look, wish, act)
        after = after_response(services.live_matches.announce, match) if done.new else None
        headers = {} if isinstance(done, ActResult) else {"Preference-Applied": MINIMAL}
        return Response(done, background=after, headers=headers)


async def provide_submitter(
    match: MatchId, request: AnyRequest, services: ServicesDep, language: LanguageQuery
) -> Submitter:
    """The submitter of a request."""
    return Submitter(services, request, match)


SubmitterDep = NamedDependency[Submitter]


class PlayController(Controller):
    """What a seat does in a match."""

    path = "/api/matches/{match:str}"
    tags = ["match"]
    dependencies = {"submitter": Provide(provide_submitter)}

    @post(
        "/moves",
        status_code=200,
        responses=error_responses(409, *POST_ERRORS),
        operation_id="playMove",
    )
    async def move(
        self, data: JSONBody[MoveRequest], submitter: SubmitterDep
    ) -> Response[ActResult]:
        """Play a move."""
        return await submitter.submit(data, events.Move(data.move))

    @post(
        "/resignations",
        status_code=200,
        responses=error_responses(409, *POST_ERRORS),
        operation_id="resign",
    )
    async def resign(
        self, data: JSONBody[ActRequest], submitter: SubmitterDep
    ) -> Response[ActResult]:
        """Give up; in a team both partners have to. Among four sides, the engine plays on."""
        return await submitter.submit(data, events.Resign())

    @post(
        "/agreements",
        status_code=200,
        responses=error_responses(409, *POST_ERRORS),
        operation_id="agree",
    )
    async def agree(
        self, data: JSONBody[MatterRequest], submitter: SubmitterDep
    ) -> Response[ActResult]:
        """Ask for something or agree to it: it is done once everybody has agreed."""
        return await submitter.submit(data, events.Agree(data.matter, data.about))

    @post(
        "/refusals",
        status_code=200,
        responses=error_responses(409, *POST_ERRORS),
        operation_id="refuse",
    )
    async def refuse(
        self, data: JSONBody[MatterRequest], submitter: SubmitterDep
    ) -> Response[ActResult]:
        """Refuse what was asked for, or ask no longer."""
        return await submitter.submit(data, events.Refuse(data.matter))

    @post(
        "/seat",
        status_code=200,
        responses=error_responses(409, *POST_ERRORS),
        operation_id="changeSeat",
    )
    async def change_seat(
        self, data: JSONBody[SeatRequest], submitter: SubmitterDep
    ) -> Response[ActResult]:
        """Be called something else, or come back to a seat that the engine plays."""
        return await submitter.submit(data, seat_act(data))

    @post(
        "/hints",
        status_code=200,
        responses=error_responses(409, 503, *POST_ERRORS),
        operation_id="askHint",
    )
    async def hint(self, match: MatchId, request: AnyRequest, services: ServicesDep) -> Hint:
        """A good move for the seat to move; between people only if all have agreed to hints."""
        known, asker = await look_at(services, request, match)
        asker.require_seat(None)
        return Hint(await services.engine_turns.hint(match, known, asker.seats))


@get(
    "/api/matches/{match:str}/remark",
    responses=error_responses(401, 403, 503),
    tags=["match"],
    operation_id="readRemark",
)
async def read_remark(
    match: MatchId, request: AnyRequest, services: ServicesDep, language: LanguageQuery
) -> RemarkView:
    """At most one remark for your seat, each true by a short search; not between people."""
    known, asker = await look_at(services, request, match)
    told = await services.remarks.remark(match, known, asker.require_seat(None))
    return remark_view(told, negotiate_voice(request))
