"""The spreadsheets that were imported into events, and the state of each registration before, to undo them."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Create the tables of the spreadsheets that were imported into events, with what an undo needs."""
    op.create_table(
        "event_import",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("event_id", sa.String(40), sa.ForeignKey("event.id"), nullable=False, index=True),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("by", sa.String(120), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("added", sa.Integer, nullable=False),
        sa.Column("changed", sa.Integer, nullable=False),
        sa.Column("entry", sa.Integer, nullable=False),
        sa.Column("before", sa.JSON, nullable=False),
        sa.Column("undone", sa.String(40), nullable=True),
    )
    op.create_table(
        "event_imported",
        sa.Column("import_id", sa.String(40), sa.ForeignKey("event_import.id"), primary_key=True),
        sa.Column("registration_id", sa.String(40), primary_key=True, index=True),
        sa.Column("event_id", sa.String(40), sa.ForeignKey("event.id"), nullable=False, index=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("version_before", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("table", sa.Text, nullable=False),
        sa.Column("email", sa.Text, nullable=False),
    )
