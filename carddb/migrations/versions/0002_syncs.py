"""What came of each sync."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the table `sync`: start, end and result of each synchronisation with an official card list."""
    op.create_table(
        "sync",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("begun", sa.String(40), nullable=False),
        sa.Column("ended", sa.String(40), nullable=True),
        sa.Column("result", sa.String(20), nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("snapshot_id", sa.String(80), sa.ForeignKey("snapshot.id"), nullable=True),
    )
    op.create_index("sync_of_a_game", "sync", ["game", "begun"])
