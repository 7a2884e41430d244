"""Alembic runs this; the connection is handed to it by the store."""

from alembic import context

from quinconce.server.storage.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
