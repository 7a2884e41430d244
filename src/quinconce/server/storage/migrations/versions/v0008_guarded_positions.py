"""Where matches stand that people are at, whatever the board is turned into."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """A new table; a server moves there, once it runs, what `guarded_hash` has."""
    op.create_table(
        "guarded_positions",
        sa.Column(
            "match",
            sa.String(12),
            sa.ForeignKey("matches.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("form", sa.String(80), nullable=False),
        sa.Column("position", sa.Text, nullable=False),
    )
    op.create_index("ix_guarded_positions_form", "guarded_positions", ["form"])
