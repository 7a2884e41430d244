"""Reviews of matches, and what the engine found at each of their positions."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Two more tables; nothing that was there changes."""
    op.create_table(
        "reviews",
        sa.Column(
            "match",
            sa.String(12),
            sa.ForeignKey("matches.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("line", sa.String(64), nullable=False),
        sa.Column("engine", sa.String(40), nullable=False),
        sa.Column("positions", sa.Integer, nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("asked", sa.Float, nullable=False),
        sa.Column("touched", sa.Float, nullable=False),
    )
    op.create_index("reviews_open", "reviews", ["state", "asked"])
    op.create_table(
        "review_positions",
        sa.Column(
            "match",
            sa.String(12),
            sa.ForeignKey("reviews.match", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("report", sa.Text, nullable=False),
    )
