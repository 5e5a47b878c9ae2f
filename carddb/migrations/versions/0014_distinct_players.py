"""The registrations that a judge marked as those of other players, though they look like duplicates."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
INDEX = "event_revision_player"


def upgrade() -> None:
    """Add `distinct_from` to registrations, and an index with all fields by which duplicates are found."""
    op.add_column("event_registration", sa.Column("distinct_from", sa.Text, nullable=False, server_default=""))
    op.create_index(INDEX, "event_revision", ["registration_id", "number", "player", "player_id"])
