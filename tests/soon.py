"""A day that is soon, by the real clock: an event's day is at most two years ahead."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_MOMENT = datetime.now(UTC) + timedelta(days=300)
SOON = _MOMENT.date().isoformat()
DAY_BEFORE = (_MOMENT - timedelta(days=1)).date().isoformat()
