"""What looks wrong with a snapshot that is kept aside."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column `doubts` to `snapshot`: the reasons why a snapshot was not made current."""
    op.add_column("snapshot", sa.Column("doubts", sa.JSON, nullable=False, server_default="[]"))
