"""Webhooks, and which changes each has been told."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Create the tables of webhooks and of the changes that each webhook was sent."""
    op.create_table(
        "webhook",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("games", sa.JSON, nullable=False),
        sa.Column("kinds", sa.JSON, nullable=False),
        sa.Column("since", sa.String(10), nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("due", sa.String(40), nullable=True),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("problem", sa.Text, nullable=False),
    )
    op.create_table(
        "webhook_told",
        sa.Column("webhook_id", sa.String(40), sa.ForeignKey("webhook.id"), primary_key=True),
        sa.Column("change_id", sa.String(200), primary_key=True),
    )
