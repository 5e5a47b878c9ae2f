"""The workers that are at work."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the table `worker`: host, process and last heartbeat of each running worker."""
    op.create_table(
        "worker",
        sa.Column("host", sa.String(255), primary_key=True),
        sa.Column("pid", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seen", sa.String(40), nullable=False),
    )
