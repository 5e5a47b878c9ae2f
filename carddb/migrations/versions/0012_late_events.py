"""The retention of an event that was created after its day: it counts from the creation now, no longer from the day."""

from datetime import date, timedelta

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

_EVENT = sa.table(
    "event",
    sa.column("id", sa.String),
    sa.column("created", sa.String),
    sa.column("purged", sa.String),
    sa.column("details", sa.JSON),
)


def upgrade() -> None:
    """Set the day of deletion of events that were created after their day: `purge_days` after the creation."""
    for id, created, details in op.get_bind().execute(sa.select(_EVENT.c.id, _EVENT.c.created, _EVENT.c.details)).all():
        day, creation = date.fromisoformat(details["on"]), date.fromisoformat(created[:10])
        if creation > day:
            purged = creation + timedelta(days=details["purge_days"])
            op.execute(sa.update(_EVENT).where(_EVENT.c.id == id).values(purged=purged.isoformat()))
