"""What matches need of a store and of other servers, and the shapes in which they hold it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

from quinconce.server.matches.events import Event
from quinconce.server.matches.guarded_positions import GuardedPosition
from quinconce.server.matches.setup import Setup
from quinconce.server.security.secrets import SeatKey


class ConflictError(Exception):
    """The store has this already: another event with this number, another key of a tag."""


class MatchRow(NamedTuple):
    """A match as it is stored."""

    id: str
    setup: Setup
    tag: str | None
    made: float
    waits: str
    moves: int
    touched: float


class Glance(NamedTuple):
    """What is asked of the store at each request: the number of the last event, and all keys."""

    seq: int
    keys: Sequence[SeatKey]


class MatchSummary(NamedTuple):
    """What is written beside the events of a match."""

    moves: int
    waits: str
    falls_at: float | None = None  # when the running clock will have run out
    guarded: GuardedPosition | None = None  # where it stands, while people are at it
    was_guarded: bool = False  # before these events, so that there is something to delete


class NewMatch(NamedTuple):
    """A match to be made, with its keys."""

    id: str
    setup: Setup
    keys: Sequence[SeatKey]
    waits: str
    events: Sequence[Event] = ()


ReviewState = Literal["open", "done", "failed"]


class ReviewProgress(NamedTuple):
    """How far a review is."""

    done: int  # positions
    of: int
    state: ReviewState


class Sighting(NamedTuple):
    """Somebody in a seat of a match, as another server knows it."""

    match: str
    seat: int
    present: bool
    seen: float  # when they were last there, by the database


class MatchStore(Protocol):
    """Reads and writes matches."""

    async def match(self, match: str) -> MatchRow | None:
        """A match, if there is one with this id."""

    async def glance(self, match: str) -> Glance | None:
        """Where a match is, and who may play in it; None if there is no such match."""

    async def events(self, match: str, after: int) -> Sequence[Event]:
        """The events of a match after a number, in order."""

    async def append(
        self,
        match: str,
        new: Sequence[Event],
        summary: MatchSummary,
        following: NewMatch | None = None,
    ) -> None:
        """Add events, and perhaps the match that follows, in one transaction.

        ConflictError if one of the numbers is taken, or the match is gone.
        """

    async def last_seqs(self, matches: Sequence[str]) -> Mapping[str, int]:
        """The numbers of the last events of those matches that are still there."""

    async def count_hint(self, match: str, limit: int) -> bool:
        """Count a hint; False if there were as many as may be."""

    async def guarded_positions(self, form: str) -> Sequence[str]:
        """Where the matches of a form of a game stand that people are at."""

    async def matches_guarded_by_hash(self) -> Sequence[str]:
        """The matches that people are at and whose position only an older server has noted."""

    async def note_guarded_position(self, match: str, guarded: GuardedPosition | None) -> None:
        """Note where a match stands, if people are at it."""

    async def skip_downtime(self, since: float | None, at: float) -> Mapping[str, float]:
        """Let no running clock count the time from one moment to another: all of them or none.

        Returns when each will have run out.
        """

    async def unsummed_clock_matches(self) -> Sequence[str]:
        """Matches whose clock may run though their row does not say so: of an older version."""

    async def overdue_matches(self, now: float) -> Sequence[str]:
        """The matches in which the running clock has run out."""

    async def engine_matches(self, now: float) -> Sequence[str]:
        """The matches in which an engine is to move or to answer, and no server asks one."""

    async def delete_unstarted(self, before: float) -> Sequence[str]:
        """Delete matches without a move that nobody has touched since; returns their ids."""

    async def record_heartbeat(self, at: float) -> None:
        """Record that a server was alive at this moment."""

    async def last_heartbeat(self) -> float | None:
        """When a server on this database was last seen alive."""

    async def record_life(self, at: float) -> None:
        """Record the sign of life by which things expire."""

    async def last_life(self) -> float | None:
        """The sign of life by which things expire, if there is any."""


class MatchPeers(Protocol):
    """What matches need of the other servers on their database."""

    is_shared: bool  # whether there may be others
    leads: bool  # whether this server sees to what one does for all

    @property
    def clock(self) -> Callable[[], float]:
        """The time of day that all servers follow."""

    @property
    def clocks_count(self) -> bool:
        """Whether the clocks of matches go on."""

    def note_arrival(self, match: str, seats: Sequence[int]) -> None:
        """Somebody is present in these seats."""

    def note_departure(self, match: str, seats: Sequence[int]) -> None:
        """Somebody is no longer present in these seats."""

    async def sightings(self, matches: Collection[str]) -> Mapping[str, Sequence[Sighting]]:
        """Who is present, or was, at other servers; by match."""

    async def claim(self, name: str, seq: int) -> bool:
        """Whether this server may do something that one does for all, and no other meanwhile."""

    def release(self, name: str) -> None:
        """It is done."""
