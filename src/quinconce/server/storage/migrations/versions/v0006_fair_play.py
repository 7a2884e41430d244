"""Where matches stand that people are at: what an engine thinks of that is told to nobody."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """A column that may be empty: a match gets it with its next event."""
    with op.batch_alter_table("matches") as matches:
        matches.add_column(sa.Column("guarded_hash", sa.String(32)))
        matches.create_index("matches_guarded", ["guarded_hash"])
