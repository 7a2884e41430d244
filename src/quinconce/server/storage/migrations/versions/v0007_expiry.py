"""How far servers have lived, so that nothing is deleted because a machine's clock is wrong."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """One table."""
    op.create_table(
        "expiry",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
    )
