"""Imported list files: their snapshots, and the current one of each game."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Create the tables of imported lists: their snapshots, and the current one of each game."""
    op.create_table(
        "list_snapshot",
        sa.Column("id", sa.String(80), primary_key=True),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("content", sa.String(64), nullable=False),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("files", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("game", "content", name="one_list_snapshot_of_the_same_files"),
    )
    op.create_table(
        "current_list",
        sa.Column("game", sa.String(20), primary_key=True),
        sa.Column("snapshot_id", sa.String(80), sa.ForeignKey("list_snapshot.id"), nullable=False),
    )
