"""Several servers on one database: who is alive, who is present where, who does what."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """New tables, and columns with a default, so that an older server can go on meanwhile."""
    with op.batch_alter_table("matches") as matches:
        matches.add_column(sa.Column("hints", sa.Integer, nullable=False, server_default="0"))
        matches.add_column(sa.Column("falls_at", sa.Float))
        matches.create_index("matches_falling", ["falls_at"])
    op.create_table(
        "processes",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("beat", sa.Float, nullable=False),
    )
    op.create_table(
        "presence",
        sa.Column("match", sa.String(12), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("process", sa.String(16), primary_key=True, index=True),
        sa.Column("gone", sa.Float),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("holder", sa.String(16), nullable=False),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_table(
        "usage",
        sa.Column("key", sa.String(80), primary_key=True),
        sa.Column("used", sa.Float, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
