"""Tags have keys, and the server leaves a sign of life."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Two more tables; nothing that was there changes."""
    op.create_table(
        "tags",
        sa.Column("tag", sa.String(60), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False),
    )
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
    )
