"""Jobs that wait, run and are kept, and the files that belong to them."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the tables of jobs: their state and task, and the files that belong to them."""
    op.create_table(
        "job",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("task", sa.JSON, nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("of", sa.Integer, nullable=True),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("seen", sa.String(40), nullable=True),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("started", sa.String(40), nullable=True),
        sa.Column("ended", sa.String(40), nullable=True),
        sa.Column("expires", sa.String(40), nullable=True),
        sa.Column("problem", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("size", sa.BigInteger, nullable=False),
    )
    op.create_index("jobs_by_status", "job", ["status", "created"])
    op.create_table(
        "job_piece",
        sa.Column("job_id", sa.String(64), sa.ForeignKey("job.id"), primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
