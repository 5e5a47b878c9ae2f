"""Events: what they are, their keys, who registered for them with which decks, what was done, what was answered."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the tables of events: events, keys, registrations, revisions, audit and stored answers."""
    op.create_table(
        "event",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("purged", sa.String(10), nullable=False, index=True),
        sa.Column("details", sa.JSON, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("audited", sa.Integer, nullable=False),
        sa.Column("audit_head", sa.String(64), nullable=False),
    )
    op.create_table(
        "event_key",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("event_id", sa.String(40), sa.ForeignKey("event.id"), nullable=False, index=True),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("registration_id", sa.String(40), nullable=True, index=True),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("revoked", sa.String(40), nullable=True),
    )
    op.create_table(
        "event_registration",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("event_id", sa.String(40), sa.ForeignKey("event.id"), nullable=False, index=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("latest", sa.Integer, nullable=False),
        sa.Column("until", sa.String(40), nullable=True),
        sa.Column("cut", sa.Boolean, nullable=False),
        sa.Column("created", sa.String(40), nullable=False),
    )
    op.create_table(
        "event_revision",
        sa.Column("registration_id", sa.String(40), sa.ForeignKey("event_registration.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("by", sa.String(120), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("team", sa.Text, nullable=False),
        sa.Column("notes", sa.Text, nullable=False),
        sa.Column("publish", sa.Boolean, nullable=False),
        sa.Column("stream", sa.Boolean, nullable=False),
        sa.Column("deck", sa.LargeBinary, nullable=True),
        sa.Column("decklist", sa.Text, nullable=True),
        sa.Column("salt", sa.String(64), nullable=False),
    )
    op.create_table(
        "event_audit",
        sa.Column("event_id", sa.String(40), sa.ForeignKey("event.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("by", sa.String(120), nullable=False),
        sa.Column("action", sa.String(40), nullable=False),
        sa.Column("about", sa.String(40), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
    )
    op.create_table(
        "event_answer",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("event_id", sa.String(40), nullable=False, index=True),
        sa.Column("at", sa.String(40), nullable=False, index=True),
        sa.Column("content", sa.String(64), nullable=False),
        sa.Column("salt", sa.String(64), nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
    )
