"""The day on which the cards of a snapshot were collected, and its basis. Before, the day of the import was used."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add `as_of` and `as_of_basis` to `snapshot`. Existing snapshots get the day of their import."""
    op.add_column("snapshot", sa.Column("as_of", sa.String(10), nullable=True))
    op.add_column("snapshot", sa.Column("as_of_basis", sa.String(20), nullable=True))
    op.execute("update snapshot set as_of = substr(created, 1, 10), as_of_basis = 'imported'")
