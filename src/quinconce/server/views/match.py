"""The view of a match: everything a page or a program needs to know, and never a secret."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final, NamedTuple

from msgspec import Struct

from quinconce.core.game import Game
from quinconce.core.phrase import _, ngettext
from quinconce.core.record import Seat
from quinconce.server.caches import BoundedCache
from quinconce.server.matches.clock import TimeControl
from quinconce.server.matches.live import LiveMatch, LiveMatches
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.matches.setup import SeatKind
from quinconce.server.security.auth import Access
from quinconce.server.views.games import describe_options
from quinconce.server.views.position import PositionView, board_svg, position_view
from quinconce.server.views.review import ReviewView
from quinconce.words import Voice
from quinconce.words.sentences import player_name

MAX_SCENES: Final = 256  # of some 50 kB each
MAX_EVENTS: Final = 128  # of some 50 kB each
MAX_REVIEWS: Final = 64  # of some 20 kB each


class SceneKey(NamedTuple):
    """What a scene depends on: after an event of a match it is another."""

    match: str
    seq: int
    language: str
    mine: frozenset[int]  # the seats of who looks; none for those who watch
    flipped: bool

    @property
    def drawing(self) -> SceneKey:
        """What its drawing depends on: not on whose seats they are."""
        return self._replace(mine=frozenset())


class ViewCaches:
    """What a server has shown."""

    def __init__(self) -> None:
        self.scenes: BoundedCache[SceneKey, PositionView] = BoundedCache(MAX_SCENES)
        self.drawings: BoundedCache[SceneKey, str] = BoundedCache(MAX_SCENES)
        self.events: BoundedCache[Hashable, bytes] = BoundedCache(MAX_EVENTS)  # with their views
        self.reviews: BoundedCache[Hashable, ReviewView] = BoundedCache(MAX_REVIEWS)


class SeatView(Struct, frozen=True):
    """Who sits there."""

    seat: int
    kind: SeatKind
    level: int | None
    name: str
    called: str  # with the colours, in words
    side: int
    claimed: bool
    lent: bool  # to the engine, until its owner is back
    present: bool  # whether a page of this seat is open
    lent_from: float | None  # when the engine may play for who has left; None: that is no matter
    mine: bool


class OfferView(Struct, frozen=True):
    """What somebody wants, and who has still to agree."""

    matter: str
    seat: int
    about: int | None
    wanted_of: list[int]


class ClockView(Struct, frozen=True):
    """The seconds that are left, counted by the server at the moment of the view."""

    terms: TimeControl
    left: list[float]
    running: int | None


class MatchView(Struct, frozen=True):
    """A match as it is now, for one reader."""

    id: str
    seq: int
    game: str
    title: str
    options: dict[str, str | int]
    start: str | None
    tag: str | None
    made: float
    seats: list[SeatView]
    mine: list[int]
    far_side: bool  # whether the reader plays on the far side of the board, and so turns it
    maker: bool
    moves: list[str]
    scene: PositionView
    clock: ClockView | None
    offers: list[OfferView]
    resigning: list[int]  # whose partner has still to agree to it
    may_resign: bool  # with more than two sides the engine plays on instead
    may_take_back: bool  # whether there is a move of one's own to take back
    hints: bool
    rematch: str | None
    now: float


def record_seats(state: OnlineMatch) -> tuple[Seat, ...]:
    """The names, as those who tell of a match want them."""
    return tuple(Seat(each.name, each.level) for each in state.seats)


def plays_on_far_side(rules: Game[Any], seats: frozenset[int]) -> bool:
    """Whether all of these seats are on the far side, where the second half of the sides plays."""
    half = len(rules.sides) / 2
    return bool(seats) and all(rules.side(seat) >= half for seat in seats)


def sits_on_far_side(rules: Game[Any], seat: int) -> bool:
    """Whether a seat is on the far side of the board."""
    return plays_on_far_side(rules, frozenset((seat,)))


def match_view(
    live: LiveMatch,
    asker: Access,
    say: Voice,
    live_matches: LiveMatches,
    caches: ViewCaches,
    flipped: bool = False,
) -> MatchView:
    """The view; legal moves only for the seat to move."""
    state, now = live.state, live_matches.now()
    match, setup = state.match, state.setup
    return MatchView(
        id=live.id,
        seq=state.seq,
        game=state.game.name,
        title=say(state.game.title),
        options=dict(state.game.chosen),
        start=setup.position,
        tag=setup.tag,
        made=live.row.made,
        seats=[seat_view(live, asker, say, live_matches, seat) for seat in range(state.game.seats)],
        mine=sorted(asker.seats),
        far_side=plays_on_far_side(state.game, asker.seats),
        maker=asker.maker,
        moves=list(match.moves),
        scene=match_scene(live, say, asker.seats, flipped, caches),
        clock=clock_view(state, now),
        offers=[
            OfferView(matter, asked.seat, asked.about, sorted(state.seats_yet_to_agree(matter)))
            for matter, asked in state.offers.items()
        ],
        resigning=sorted(state.resigning),
        may_resign=len(state.game.sides) == 2,
        may_take_back=any(state.last_own_ply(seat) is not None for seat in asker.seats),
        hints=state.hints_allowed,
        rematch=state.rematch,
        now=now,
    )


def match_scene(
    live: LiveMatch, say: Voice, mine: frozenset[int], flipped: bool, caches: ViewCaches
) -> PositionView:
    """The position as it is now, told to some seats, with legal moves for the seat to move."""
    state, key = live.state, scene_key(live, say, mine, flipped)
    match = state.match

    def make() -> PositionView:
        svg = caches.drawings.find(
            key.drawing, lambda: board_svg(match, len(match.moves), say, flipped)
        )
        people, playable = record_seats(state), state.turn in mine
        return position_view(match, say, people, legal=playable, mine=mine, svg=svg)

    return caches.scenes.find(key, make)


def scene_key(live: LiveMatch, say: Voice, mine: frozenset[int], flipped: bool) -> SceneKey:
    """What the scene of a match depends on."""
    return SceneKey(live.id, live.state.seq, say.language, mine, flipped)


def is_quickly_made(
    live: LiveMatch, asker: Access, say: Voice, caches: ViewCaches, flipped: bool
) -> bool:
    """Whether the view needs no drawing, because somebody else has seen the same."""
    return scene_key(live, say, asker.seats, flipped) in caches.scenes


def seat_view(
    live: LiveMatch, asker: Access, say: Voice, live_matches: LiveMatches, seat: int
) -> SeatView:
    """One seat, as everybody may see it."""
    state = live.state
    occupant = state.seats[seat]
    has_left = occupant.kind == "friend" and occupant.claimed and not state.over
    return SeatView(
        seat=seat,
        kind=occupant.kind,
        level=occupant.level,
        name=occupant.name,
        called=say(player_name(state.match, seat, record_seats(state))),
        side=state.game.side(seat),
        claimed=occupant.claimed,
        lent=occupant.lent,
        present=live.is_present(seat),
        lent_from=live_matches.lendable_from(live, seat) if has_left else None,
        mine=seat in asker.seats,
    )


def clock_view(state: OnlineMatch, now: float) -> ClockView | None:
    """The clock, if there is one."""
    clock = state.clock
    if clock is None:
        return None
    return ClockView(clock.terms, clock.left_at(now), clock.running)


def describe_terms(rules: Game[Any], say: Voice, view: MatchView) -> str:
    """The options that are not the usual ones, and the clock, on one line."""
    unusual = describe_options(rules, say)
    if view.clock:
        terms = view.clock.terms
        clock = (
            # Only one whole day is singular.
            ngettext(
                "{days:g} day a move",
                "{days:g} days a move",
                1 if terms.days == 1 else 2,
                days=terms.days,
            )
            if terms.days
            else _("{n:g} min + {s:g} s", n=terms.minutes, s=terms.increment)
        )
        unusual.append(say(clock))
    return " · ".join(unusual)
