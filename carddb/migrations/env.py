"""How alembic runs a migration: on the connection it is given, in that connection's transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
