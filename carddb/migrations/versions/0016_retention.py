"""The retention of events: it starts at the last write, deleted events can be restored, and the clock is looked at."""

from datetime import date, timedelta

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

_EVENT = sa.table(
    "event",
    sa.column("id", sa.String),
    sa.column("purged", sa.String),
    sa.column("details", sa.JSON),
    sa.column("audited", sa.Integer),
    sa.column("written", sa.String),
)
_AUDIT = sa.table(
    "event_audit", sa.column("event_id", sa.String), sa.column("number", sa.Integer), sa.column("at", sa.String)
)


def upgrade() -> None:
    """Add the columns `written` and `deleted_on` of events and the table `retention_clock`.

    `written` of each event becomes the day of its last audit entry. Its day of deletion becomes `purge_days` after
    that, if that is later.
    """
    for name in ("written", "deleted_on"):
        op.add_column("event", sa.Column(name, sa.String(10), nullable=False, server_default=""))
    op.create_table(
        "retention_clock",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("seen", sa.String(40), nullable=False),
        sa.Column("trusted", sa.String(40), nullable=False),
        sa.Column("steady_since", sa.String(40), nullable=False),
        sa.Column("warned", sa.String(10), nullable=False),
    )
    last = sa.and_(_AUDIT.c.event_id == _EVENT.c.id, _AUDIT.c.number == _EVENT.c.audited)
    query = sa.select(_EVENT.c.id, _EVENT.c.purged, _EVENT.c.details, _AUDIT.c.at).join(_AUDIT, last)
    for id, purged, details, at in op.get_bind().execute(query).all():
        written = date.fromisoformat(at[:10])
        end = max(purged, (written + timedelta(days=details["purge_days"])).isoformat())
        changed = sa.update(_EVENT).where(_EVENT.c.id == id)
        op.execute(changed.values(written=written.isoformat(), purged=end))
