"""Who is expected at an event, and where its players sit and are written to."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create the table of expected players, and add `table` and `email` to registrations."""
    op.create_table(
        "event_expected",
        sa.Column("event_id", sa.String(40), sa.ForeignKey("event.id"), primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("email", sa.Text, nullable=False),
    )
    op.add_column("event_registration", sa.Column("table", sa.Text, nullable=False, server_default=""))
    op.add_column("event_registration", sa.Column("email", sa.Text, nullable=False, server_default=""))
