"""Snapshots of cards, and which snapshot of a game is the current one."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables `snapshot` of card imports, `current` with one for each game, and `card`."""
    op.create_table(
        "snapshot",
        sa.Column("id", sa.String(80), primary_key=True),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("content", sa.String(64), nullable=False),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("reader_version", sa.Integer, nullable=False),
        sa.Column("cards", sa.Integer, nullable=False),
        sa.UniqueConstraint("game", "content", name="one_snapshot_of_the_same_facts"),
    )
    op.create_table(
        "current",
        sa.Column("game", sa.String(20), primary_key=True),
        sa.Column("snapshot_id", sa.String(80), sa.ForeignKey("snapshot.id"), nullable=False),
    )
    op.create_table(
        "card",
        sa.Column("snapshot_id", sa.String(80), sa.ForeignKey("snapshot.id"), primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.String(60), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("type", sa.String(40), nullable=False),
        sa.Column("facts", sa.JSON, nullable=False),
    )
