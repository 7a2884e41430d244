"""A match: what its maker is told, what a seat does in it, and what it is told of that."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from quinconce.core.phrase import _
from quinconce.core.registry import game_class
from quinconce.server.answers.common import AnswerServices, view_for
from quinconce.server.engines.remarks import SeatRemark
from quinconce.server.errors import RouteError
from quinconce.server.matches import events
from quinconce.server.matches.create import SeatLink
from quinconce.server.matches.events import AnyAct, Matter
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.matches.protocols import Glance, MatchRow
from quinconce.server.matches.setup import MAX_NAME_LENGTH
from quinconce.server.request import IncomingRequest
from quinconce.server.security.auth import Access
from quinconce.server.security.secrets import Reach
from quinconce.server.views.match import MatchView, record_seats
from quinconce.server.views.position import PositionView, position_view
from quinconce.words import Voice

LastSeq = Annotated[int, Meta(ge=0, le=2**31, description="The number of the last event you know.")]
SeatNumber = Annotated[int, Meta(ge=0, le=7)]
MAX_OWN_MATCHES: Final = 100
MINIMAL: Final = "return=minimal"  # the preference of who wants no view in the answer (RFC 7240)


class NewMatchView(Struct, frozen=True):
    """A new match. Its key deletes it; the links and keys are told only now."""

    id: str
    watch: str
    reach: Reach
    seats: list[SeatLink]
    key: str
    csrf: str
    tag_key: str | None


class OwnMatch(Struct, frozen=True):
    """A match in which this browser has a seat."""

    id: str
    game: str
    title: str
    seats: list[int]
    names: list[str]
    moves: int
    waits: str  # for people, for the engine, or nobody when it is over
    touched: float


class Me(Struct, frozen=True):
    """What this browser has here; `csrf` goes along with everything it sends."""

    csrf: str | None
    matches: list[OwnMatch]


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


async def submit_act(
    services: AnswerServices,
    request: IncomingRequest,
    match: str,
    look: tuple[Glance, Access],
    wish: ActRequest,
    act: AnyAct,
) -> ActReceipt:
    """Let a seat do something: an ActResult, unless the sender wants no view.

    The others are told afterwards, by `LiveMatches.announce`, if it is new.
    """
    known, asker = look
    async with services.live_matches.current(match, known) as live:
        seat = seat_meant(wish, act, asker, live.state)
        event, new = await services.live_matches.submit_locked(live, seat, act, wish.seq)
        if prefers_minimal(request):
            return ActReceipt(event.seq, new, event.as_dict())
        view = await view_for(services, request, live, asker)
        return ActResult(event.seq, new, event.as_dict(), view)


def seat_act(wish: SeatRequest) -> AnyAct:
    """What somebody does about their seat."""
    return events.Return() if wish.back else events.Rename(wish.name or "")


def ply_view(state: OnlineMatch, ply: int, say: Voice, *, flipped: bool) -> PositionView:
    """The position after a number of moves, to leaf through; 404 if there are not so many."""
    if ply > len(state.match.moves):
        raise RouteError(404, "ply", _("the match is not that long"))
    return position_view(state.match, say, record_seats(state), ply, legal=False, flipped=flipped)


def check_maker(asker: Access) -> None:
    """403 if somebody may not delete a match."""
    if not asker.maker:
        raise RouteError(403, "maker", _("only the person who made a match may delete it"))


def prefers_minimal(request: IncomingRequest) -> bool:
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


class RemarkView(Struct, frozen=True):
    """What is threatened or was missed, or after the end the move that decided the game.

    `kind` is `missed win`, `exposed`, `threat`, `spared`, `missed capture` or `end`; there may be
    nothing to say.
    """

    seq: int  # the event after which it holds
    kind: str | None
    words: str | None


def remark_view(told: SeatRemark, say: Voice) -> RemarkView:
    """A remark, if there is one."""
    if told.found is None:
        return RemarkView(told.seq, None, None)
    return RemarkView(told.seq, told.found.kind, say(told.found.words))


def own_matches(held: Iterable[tuple[MatchRow, list[int]]], say: Voice) -> list[OwnMatch]:
    """The matches in which a browser has seats."""
    return [
        OwnMatch(
            kept.id,
            kept.setup.game,
            say(game_class(kept.setup.game).title),
            seats,
            [seat.name for seat in kept.setup.seats],
            kept.moves,
            kept.waits,
            kept.touched,
        )
        for kept, seats in held
    ]
