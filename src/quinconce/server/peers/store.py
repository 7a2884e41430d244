"""What servers on one database tell each other: signs of life, presence, leases, shared limits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, or_, select, text, update

from quinconce.server.matches.protocols import Sighting
from quinconce.server.settings import MINUTE
from quinconce.server.storage.schema import HEARTBEAT, LEASES, PRESENCE, PROCESSES, USAGE
from quinconce.server.storage.store import Bulletin, Store, publish

LEADER: Final = "leader"  # the name of the lease of the server that leads

UPSERT_PROCESS: Final = text(
    "INSERT INTO processes (id, beat) VALUES (:id, :beat)"
    " ON CONFLICT (id) DO UPDATE SET beat = excluded.beat"
)
TAKE_LEASE: Final = text(
    "INSERT INTO leases (name, seq, holder, until) VALUES (:name, :seq, :holder, :until)"
    " ON CONFLICT (name) DO UPDATE"
    " SET seq = excluded.seq, holder = excluded.holder, until = excluded.until"
    " WHERE leases.until < :now OR leases.until > :now + :longest"
    " OR leases.holder = excluded.holder OR leases.seq < excluded.seq"
)
UPSERT_PRESENCE: Final = text(
    "INSERT INTO presence (match, seat, process, gone) VALUES (:match, :seat, :process, :gone)"
    " ON CONFLICT (match, seat, process) DO UPDATE SET gone = excluded.gone"
)
UPSERT_USAGE: Final = text(
    "INSERT INTO usage (key, used, at) VALUES (:key, :used, :at)"
    " ON CONFLICT (key) DO UPDATE SET used = excluded.used, at = excluded.at"
)
SELECT_PULSE: Final = select(HEARTBEAT.c.at).where(HEARTBEAT.c.id == 1)
DATABASE_TIME: Final = text("SELECT extract(epoch FROM clock_timestamp())")
# Seconds for which nobody is given a lease: one that lasts longer was given by a wrong clock.
LONGEST_LEASE: Final = MINUTE

Place = tuple[str, int]  # a match, and a seat of it or -1 for somebody who watches


class LeaseTerms(NamedTuple):
    """For how many seconds a server leads, asks an engine, and is taken for alive."""

    lead: float
    claim: float
    life: float


class Beat(NamedTuple):
    """What a server learns when it gives a sign of life."""

    leads: bool
    alive: frozenset[str]  # the servers that have given one lately
    pulse: float | None  # when the server that leads last saw to all clocks
    time: float  # of the database


class SharedStore:
    """The tables by which the servers on a database work together.

    Every time in them is the database's own, whatever a server takes for the time of day.
    """

    def __init__(self, store: Store, database_now: Callable[[], float] | None = None) -> None:
        self.store = store
        self._database_now = database_now  # a test's, in place of the database's own

    def _time(self, connection: Connection) -> float:
        if self._database_now:
            return self._database_now()
        return float(connection.execute(DATABASE_TIME).scalar_one())

    async def time(self) -> float:
        """What time it is for the database; UnreachableError if it does not say."""
        return await self.store.read(self._time)

    async def beat(self, process: str, claims: Collection[str], terms: LeaseTerms) -> Beat:
        """Give a sign of life, lead if nobody else does, and keep the claims of engines."""

        def work(connection: Connection) -> Beat:
            at = self._time(connection)
            connection.execute(UPSERT_PROCESS, {"id": process, "beat": at})
            leads = take_lease(connection, LEADER, 0, process, at, at + terms.lead)
            if claims:
                mine = LEASES.c.holder == process, LEASES.c.name.in_(claims)
                connection.execute(update(LEASES).where(*mine).values(until=at + terms.claim))
            lately = PROCESSES.c.beat.between(at - terms.life, at + terms.life)
            alive = frozenset(connection.execute(select(PROCESSES.c.id).where(lately)).scalars())
            pulse = connection.execute(SELECT_PULSE).scalar()
            return Beat(leads, alive, pulse, at)

        return await self.store.write(work)

    async def leave(self, process: str) -> None:
        """A server ends: nobody is present there any more, and another may lead at once."""

        def work(connection: Connection) -> None:
            here = PRESENCE.c.process == process, PRESENCE.c.gone.is_(None)
            gone = self._time(connection)
            left = update(PRESENCE).where(*here).values(gone=gone).returning(PRESENCE.c.match)
            matches = set(connection.execute(left).scalars())
            connection.execute(delete(LEASES).where(LEASES.c.holder == process))
            connection.execute(delete(PROCESSES).where(PROCESSES.c.id == process))
            for match in matches:
                publish(connection, Bulletin(process, "presence", match))

        await self.store.write(work)

    async def write_presence(
        self, process: str, come: Collection[Place], gone: Collection[Place]
    ) -> None:
        """Tell who has come and gone, and all servers that they have."""

        def work(connection: Connection) -> None:
            at = self._time(connection)
            rows = [
                {"match": match, "seat": seat, "process": process, "gone": left}
                for places, left in ((come, None), (gone, at))
                for match, seat in sorted(places)
            ]
            connection.execute(UPSERT_PRESENCE, rows)
            for match in {match for match, _seat in (*come, *gone)}:
                publish(connection, Bulletin(process, "presence", match))

        await self.store.write(work)

    async def sightings(
        self, process: str, matches: Collection[str], life: float
    ) -> Sequence[Sighting]:
        """Who is present, or was, at other servers; one without a beat for `life` has died."""
        place = PRESENCE.c
        query = (
            select(place.match, place.seat, place.gone, PROCESSES.c.beat)
            .select_from(PRESENCE.outerjoin(PROCESSES, PROCESSES.c.id == place.process))
            .where(place.match.in_(matches), place.process != process)
        )

        def work(connection: Connection) -> Sequence[Sighting]:
            at = self._time(connection)
            return [
                Sighting(
                    match, seat, gone is None and abs(at - (beat or 0)) < life, gone or beat or 0
                )
                for match, seat, gone, beat in connection.execute(query)
            ]

        return await self.store.read(work)

    async def claim(self, match: str, seq: int, process: str, seconds: float) -> bool:
        """Whether this server may ask the engine, because no other does."""

        def work(connection: Connection) -> bool:
            at = self._time(connection)
            return take_lease(connection, match, seq, process, at, at + seconds)

        return await self.store.write(work)

    async def forget_dead(self, age: float) -> None:
        """Forget servers without a sign of life for so long, and who was present there."""
        living = select(PROCESSES.c.id)

        def work(connection: Connection) -> None:
            before = self._time(connection) - age
            old = or_(PRESENCE.c.gone < before, PRESENCE.c.process.not_in(living))
            connection.execute(delete(PROCESSES).where(PROCESSES.c.beat < before))
            connection.execute(delete(PRESENCE).where(old))
            connection.execute(delete(LEASES).where(LEASES.c.until < before))
            connection.execute(delete(USAGE).where(USAGE.c.at < before))

        await self.store.write(work)

    async def take_usage(self, key: str, cost: float, capacity: float, rate: float) -> float:
        """Take from a limit that is refilled evenly; 0, or the seconds until there is enough."""
        row = select(USAGE.c.used, USAGE.c.at).where(USAGE.c.key == bindparam("key"))

        def work(connection: Connection) -> float:
            connection.execute(select(func.pg_advisory_xact_lock(func.hashtext(key))))
            at = self._time(connection)
            found = connection.execute(row, {"key": key}).first()
            used = max(0.0, found[0] - max(0.0, at - found[1]) * rate) if found else 0.0
            if used + cost > capacity:
                return max((used + cost - capacity) / rate, 1.0)
            connection.execute(UPSERT_USAGE, {"key": key, "used": used + cost, "at": at})
            return 0.0

        return await self.store.write(work)


def take_lease(
    connection: Connection, name: str, seq: int, holder: str, now: float, until: float
) -> bool:
    """Take or keep a lease; False if somebody else holds it for the same event or a later one."""
    values = {"name": name, "seq": seq, "holder": holder, "now": now, "until": until}
    return bool(connection.execute(TAKE_LEASE, values | {"longest": LONGEST_LEASE}).rowcount)
