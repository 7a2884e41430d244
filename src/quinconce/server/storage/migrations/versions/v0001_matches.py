"""Matches, their events and the keys of their seats."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """An empty database gets its tables."""
    op.create_table(
        "matches",
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("tag", sa.String(60), index=True),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("waits", sa.String(8), nullable=False),
        sa.Column("clocked", sa.Integer, nullable=False),
        sa.Column("touched", sa.Float, nullable=False),
    )
    op.create_index("matches_waiting", "matches", ["waits", "clocked"])
    op.create_table(
        "events",
        sa.Column(
            "match",
            sa.String(12),
            sa.ForeignKey("matches.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("act", sa.Text, nullable=False),
    )
    op.create_table(
        "keys",
        sa.Column(
            "match",
            sa.String(12),
            sa.ForeignKey("matches.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.String(64), primary_key=True, index=True),
        sa.Column("use", sa.String(8), nullable=False),
        sa.Column("made", sa.Float, nullable=False),
    )
