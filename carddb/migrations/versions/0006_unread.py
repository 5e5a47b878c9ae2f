"""How many things a job could not read of what was sent in."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the column `problems` to `job`: the number of rows or lines that the job could not read."""
    op.add_column("job", sa.Column("problems", sa.Integer))
