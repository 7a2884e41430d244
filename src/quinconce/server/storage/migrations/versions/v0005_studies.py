"""Studies: boards with trees of variations, kept under a secret."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """A new table, which an older server does not mind."""
    op.create_table(
        "studies",
        sa.Column("id", sa.String(12), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
        sa.Column("used", sa.Float, nullable=False, index=True),
    )
