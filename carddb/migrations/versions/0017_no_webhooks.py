"""The tables of webhooks go: the Atom feed and `/v1/changes` have every change."""

from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Drop the tables of webhooks."""
    op.drop_table("webhook_told")
    op.drop_table("webhook")
