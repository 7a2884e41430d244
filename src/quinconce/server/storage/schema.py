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
    Index("matches_waiting", "waits", "clocked"),
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

# Hashes of secrets, and what they open; seat -1 is the maker of the match.
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

# One row: when a server was last seen alive, so that clocks need not count the time it was down.
HEARTBEAT: Final = Table(
    "pulse",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("at", Float, nullable=False),
)
