"""From which address a study came, and how large it is: each address has its share."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Two columns: studies of before are nobody's, and how large they are is counted now."""
    with op.batch_alter_table("studies") as studies:
        studies.add_column(sa.Column("origin", sa.String(64)))
        studies.add_column(sa.Column("bytes", sa.Integer, nullable=False, server_default="0"))
        studies.create_index("studies_kept", ["origin", "made", "used", "bytes"])
    stored = sa.table("studies", sa.column("content", sa.Text), sa.column("bytes", sa.Integer))
    if op.get_bind().dialect.name == "postgresql":
        size = sa.func.octet_length(stored.c.content)
    else:
        size = sa.func.length(sa.cast(stored.c.content, sa.LargeBinary))
    op.execute(stored.update().values(bytes=size))
