"""Deck checks of events: what lay in the box, and what a judge wrote of it."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the table of deck checks: the checked revision, the cards in the box and the judge's notes."""
    op.create_table(
        "event_check",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("event_id", sa.String(40), sa.ForeignKey("event.id"), nullable=False, index=True),
        sa.Column("registration_id", sa.String(40), sa.ForeignKey("event_registration.id"), nullable=False, index=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("notes", sa.JSON, nullable=False),
        sa.Column("box", sa.LargeBinary, nullable=True),
    )
