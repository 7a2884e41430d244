"""The routes of playing a match: moves, resignations, agreements, one's seat, hints, remarks."""

from __future__ import annotations

from typing import Annotated, Any, Final

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import JSONBody
from msgspec import Meta, Struct

from quinconce.server.language import negotiate_voice
from quinconce.server.matches import events
from quinconce.server.matches.events import AnyAct, Matter
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.matches.setup import MAX_NAME_LENGTH
from quinconce.server.routes.common import (
    POST_ERRORS,
    AnyRequest,
    LanguageQuery,
    MatchId,
    ServicesDep,
    after_response,
    error_responses,
    look_at,
    view_for,
)
from quinconce.server.security.auth import Access
from quinconce.server.services import Services
from quinconce.server.views.match import MatchView

LastSeq = Annotated[int, Meta(ge=0, le=2**31, description="The number of the last event you know.")]
SeatNumber = Annotated[int, Meta(ge=0, le=7)]
MINIMAL: Final = "return=minimal"  # the preference of who wants no view in the answer (RFC 7240)


class ActRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What every wish says: what one knows of the match, and in which seat one speaks."""

    seq: LastSeq
    seat: SeatNumber | None = None  # needed only by who has several


class MoveRequest(ActRequest, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Play this move; typed by people, so that case and spaces do not matter."""

    move: Annotated[str, Meta(min_length=1, max_length=400)]


class MatterRequest(ActRequest, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Ask for something, or agree to it; refuse it, or no longer ask."""

    matter: Matter
    about: SeatNumber | None = None


class SeatRequest(ActRequest, frozen=True, forbid_unknown_fields=True):
    """Be called something else, or play on in a seat that was lent to the engine."""

    name: Annotated[str, Meta(max_length=MAX_NAME_LENGTH)] | None = None
    back: bool = False


class ActReceipt(Struct, frozen=True):
    """An event that is in the store; sent again because the answer was lost, it is not new."""

    seq: int
    new: bool
    event: dict[str, Any]


class ActResult(ActReceipt, frozen=True):
    """The event with the match as it is then; without, for who prefers `return=minimal`."""

    view: MatchView


class Hint(Struct, frozen=True):
    """A good move."""

    move: str


class Submitter:
    """Submits acts to one match for the sender of a request."""

    def __init__(self, services: Services, request: AnyRequest, match: str) -> None:
        self.services = services
        self.request = request
        self.match = match

    async def submit(self, wish: ActRequest, act: AnyAct) -> Response[Any]:
        """Authenticate, lock, commit, answer with the view if it is wanted, tell the others."""
        live_matches, match = self.services.live_matches, self.match
        known, asker = await look_at(self.services, self.request, match)
        async with live_matches.current(match, known) as live:
            seat = seat_meant(wish, act, asker, live.state)
            event, new = await live_matches.submit_locked(live, seat, act, wish.seq)
            done = ActReceipt(event.seq, new, event.as_dict())
            if not (minimal := prefers_minimal(self.request)):
                view = await view_for(self.services, self.request, live, asker)
                done = ActResult(done.seq, done.new, done.event, view)
        after = after_response(live_matches.announce, match) if new else None
        headers = {"Preference-Applied": MINIMAL} if minimal else {}
        return Response(done, background=after, headers=headers)


def prefers_minimal(request: AnyRequest) -> bool:
    """Whether a program wants to know only what it cannot know: `Prefer: return=minimal`."""
    wishes = request.headers.get("prefer", "").lower().split(",")
    return any(wish.split(";")[0].strip() == MINIMAL for wish in wishes)


def seat_meant(wish: ActRequest, act: AnyAct, asker: Access, state: OnlineMatch) -> int:
    """The seat in which somebody speaks; NotYourSeatError if it is not theirs.

    Who has several seats at one screen and sends a move means the seat that was to move when
    `wish.seq` was the last event: the move may be sent for the second time.
    """
    turn = state.turn if isinstance(act, events.Move) else None
    if isinstance(act, events.Move) and wish.seq < state.seq:
        then = state.events[wish.seq]
        if isinstance(then.act, events.Move) and then.seat in asker.seats:
            turn = then.seat
    return asker.require_seat(wish.seat, turn)


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
        act = events.Return() if data.back else events.Rename(data.name or "")
        return await submitter.submit(data, act)

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


class RemarkView(Struct, frozen=True):
    """What is threatened or was missed, or after the end the move that decided the game.

    `kind` is `missed win`, `exposed`, `threat`, `spared`, `missed capture` or `end`; there may be
    nothing to say.
    """

    seq: int  # the event after which it holds
    kind: str | None
    words: str | None


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
    seq, found = await services.remarks.remark(match, known, asker.require_seat(None))
    if found is None:
        return RemarkView(seq, None, None)
    return RemarkView(seq, found.kind, negotiate_voice(request)(found.words))
