"""The tables of the database; `migrations/` brings an older database here."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, MetaData, String, Table, Text

METADATA: Final = MetaData()

# What a match is never changes; the columns after `setup` sum up its events, so that a search
# among many matches need not replay them.
MATCHES: Final = Table(
    "matches",
    METADATA,
    Column("id", String(12), primary_key=True),
    Column("tag", String(60), index=True),
    Column("made", Float, nullable=False),
    Column("setup", Text, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("waits", String(8), nullable=False),  # for people, for the engine, or over
    Column("clocked", Integer, nullable=False),
    Column("touched", Float, nullable=False),
    Column("hints", Integer, nullable=False, server_default="0"),  # that were given
    Column("falls_at", Float),  # when the running clock will have run out
    # Older servers noted here, by its hash, where a match stands that people are at. Others move it
    # to the table `guarded_positions`.
    Column("guarded_hash", String(32)),
    Index("matches_guarded", "guarded_hash"),
    Index("matches_waiting", "waits", "clocked"),
    Index("matches_falling", "falls_at"),
)

# Rows are only ever added. The primary key is the lock: two events cannot have one number.
EVENTS: Final = Table(
    "events",
    METADATA,
    Column("match", String(12), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("at", Float, nullable=False),
    Column("seat", Integer),
    Column("act", Text, nullable=False),
)

# Where matches stand that people are at: nobody is told what an engine thinks of it.
GUARDED_POSITIONS: Final = Table(
    "guarded_positions",
    METADATA,
    Column("match", String(12), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("form", String(80), nullable=False, index=True),  # of the game
    Column("position", Text, nullable=False),  # the first of its disguises
)

# Hashes of secrets, and what they open; seat -1 is the maker of the match, -2
# the link by which friends pick a free seat.
KEYS: Final = Table(
    "keys",
    METADATA,
    Column("match", String(12), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("hash", String(64), primary_key=True, index=True),
    Column("use", String(8), nullable=False),
    Column("made", Float, nullable=False),
)

# Who first uses a tag gets its key.
TAGS: Final = Table(
    "tags",
    METADATA,
    Column("tag", String(60), primary_key=True),
    Column("hash", String(64), nullable=False),
)

# Boards with trees of variations, as JSON. Who has the secret may change them; `version` counts
# the changes, so that of two editors none undoes what the other has written.
STUDIES: Final = Table(
    "studies",
    METADATA,
    Column("id", String(12), primary_key=True),
    Column("hash", String(64), nullable=False),
    Column("version", Integer, nullable=False),
    Column("content", Text, nullable=False),
    Column("made", Float, nullable=False),
    Column("changed", Float, nullable=False),
    Column("used", Float, nullable=False, index=True),  # opened or changed, to a day
    Column("origin", String(64)),  # the hash of the address that made it
    Column("bytes", Integer, nullable=False, server_default="0"),  # of its content
    # Everything that is asked of many studies at once: their contents need not be read for it.
    Index("studies_kept", "origin", "made", "used", "bytes"),
)

# One row: when a server was last seen alive, so that clocks need not count the time it was down.
HEARTBEAT: Final = Table(
    "pulse",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("at", Float, nullable=False),
)

# One row: a sign of life that follows the time of day slowly (`ExpiryClock`), so that nothing is
# deleted because a machine's clock is wrong.
EXPIRY: Final = Table(
    "expiry",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("at", Float, nullable=False),
)

# The servers on this database; one whose last beat is old has died.
PROCESSES: Final = Table(
    "processes",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("beat", Float, nullable=False),
)

# In which seats somebody has a page or a stream open, at which server; or had, and left then.
PRESENCE: Final = Table(
    "presence",
    METADATA,
    Column("match", String(12), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("process", String(16), primary_key=True, index=True),
    Column("gone", Float),
)

# What one server does for all, until its lease ends: it leads, or its engine thinks of a match.
LEASES: Final = Table(
    "leases",
    METADATA,
    Column("name", String(40), primary_key=True),
    Column("seq", Integer, nullable=False),  # of the event after which the engine was asked
    Column("holder", String(16), nullable=False),
    Column("until", Float, nullable=False),
)

# How much an address has used of a limit that all servers count together.
USAGE: Final = Table(
    "usage",
    METADATA,
    Column("key", String(80), primary_key=True),
    Column("used", Float, nullable=False),
    Column("at", Float, nullable=False),
)

# The review of a match: of one line of moves, by one version of the engine.
REVIEWS: Final = Table(
    "reviews",
    METADATA,
    Column("match", String(12), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("line", String(64), nullable=False),  # a digest of the game and its moves
    Column("engine", String(40), nullable=False),
    Column("positions", Integer, nullable=False),  # that are to be looked at
    Column("state", String(8), nullable=False),  # open, done or failed
    Column("asked", Float, nullable=False),
    Column("touched", Float, nullable=False),
    Index("reviews_open", "state", "asked"),
)

# What the engine found at a position, stored as it comes: a restart loses one at most.
REVIEW_POSITIONS: Final = Table(
    "review_positions",
    METADATA,
    Column("match", String(12), ForeignKey("reviews.match", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("report", Text, nullable=False),
)
