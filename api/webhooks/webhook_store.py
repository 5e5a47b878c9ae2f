"""The store of webhooks: where changes are told, which ones were, and when it is tried next.

What is still to be told is what the record of changes has and this store has not: nothing waits in a queue, so that
whoever dies loses nothing, and what a newer deckproof knows of days gone by is told as well.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import orm

from api.open_data.change_record import RecordedChange
from api.service.errors import Full, Gone
from carddb.database import Base, Database

MOST_WEBHOOKS = 20


class WebhookRow(Base):
    """One webhook. `due` is when it is tried next, or when whoever tries it now is given up; null: never more.

    `fingerprint` is a hash of its secret, which is not kept; times are ISO 8601, UTC.
    """

    __tablename__ = "webhook"

    id: orm.Mapped[str] = orm.mapped_column(sa.String(40), primary_key=True)
    url: orm.Mapped[str] = orm.mapped_column(sa.Text)
    games: orm.Mapped[list[str]] = orm.mapped_column(sa.JSON)
    kinds: orm.Mapped[list[str]] = orm.mapped_column(sa.JSON)
    since: orm.Mapped[str] = orm.mapped_column(sa.String(10))
    fingerprint: orm.Mapped[str] = orm.mapped_column(sa.String(64))
    created: orm.Mapped[str] = orm.mapped_column(sa.String(40))
    due: orm.Mapped[str | None] = orm.mapped_column(sa.String(40))
    failures: orm.Mapped[int] = orm.mapped_column(sa.Integer)
    problem: orm.Mapped[str] = orm.mapped_column(sa.Text)


class ToldRow(Base):
    """A change that a webhook has been told."""

    __tablename__ = "webhook_told"

    webhook_id: orm.Mapped[str] = orm.mapped_column(sa.String(40), sa.ForeignKey("webhook.id"), primary_key=True)
    change_id: orm.Mapped[str] = orm.mapped_column(sa.String(200), primary_key=True)


@dataclass(frozen=True, slots=True)
class Webhook:
    """A webhook as it stands: of which games and kinds it is told what is new since a day; none are all.

    `failures` is how many tries in a row have failed, `problem` why the last one did, `due` None where it has ended.
    """

    id: str
    url: str
    games: tuple[str, ...]
    kinds: tuple[str, ...]
    since: date
    fingerprint: str
    created: str
    due: datetime | None
    failures: int
    problem: str

    def wants(self, change: RecordedChange) -> bool:
        """Tell whether a change is one of those that it is told."""
        of_game = not self.games or change.game in self.games
        return of_game and (not self.kinds or change.kind in self.kinds) and change.last >= self.since

    @property
    def state(self) -> str:
        """How it is doing, in words."""
        if self.due is None:
            return f"ended: {self.problem}"
        if not self.failures:
            return "well"
        return f"failed, try {self.failures + 1} at {self.due:%Y-%m-%d %H:%M} UTC: {self.problem}"

    def as_dict(self) -> dict[str, Any]:
        """Return the public form."""
        names = ("id", "url", "games", "kinds", "since", "created", "due", "failures", "problem")
        return {name: getattr(self, name) for name in names}


class Webhooks:
    """The webhooks of a database; safe to share between threads and processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        url: str,
        fingerprint: Callable[[str], str],
        since: date,
        games: Iterable[str] = (),
        kinds: Iterable[str] = (),
    ) -> Webhook:
        """Keep a webhook, whose fingerprint follows from its id; Full where there is no room for another."""
        id, now = secrets.token_hex(6), datetime.now(UTC).isoformat()
        row = {"id": id, "url": url, "games": list(games), "kinds": list(kinds), "since": str(since)}
        begins = {"fingerprint": fingerprint(id), "created": now, "due": now, "failures": 0, "problem": ""}
        with self._database.writing("webhooks") as connection:
            if (connection.scalar(sa.select(sa.func.count(WebhookRow.id))) or 0) >= MOST_WEBHOOKS:
                raise Full(f"There are {MOST_WEBHOOKS} webhooks, and there may be no more; remove one.")
            connection.execute(sa.insert(WebhookRow), row | begins)
        return _webhook({**row, **begins})

    def listed(self) -> list[Webhook]:
        """Return the webhooks, the oldest first."""
        query = sa.select(WebhookRow.__table__).order_by(WebhookRow.created, WebhookRow.id)
        return [_webhook(row._mapping) for row in self._database.rows(query)]

    def told(self, webhook: Webhook) -> set[str]:
        """Return the ids of the changes that a webhook has been told."""
        query = sa.select(ToldRow.change_id).where(ToldRow.webhook_id == webhook.id)
        return {row.change_id for row in self._database.rows(query)}

    def remove(self, id: str) -> bool:
        """Forget a webhook; return whether there was one."""
        with self._database.writing("webhooks") as connection:
            connection.execute(sa.delete(ToldRow).where(ToldRow.webhook_id == id))
            return connection.execute(sa.delete(WebhookRow).where(WebhookRow.id == id)).rowcount == 1

    def settle(
        self, webhook: Webhook, due: datetime | None, failures: int = 0, problem: str = "", told: str = ""
    ) -> Webhook:
        """Say when a webhook is due next, how it went, and which change it was told; return it as it stands then.

        Gone if it is not as it was when it was read, for then somebody else tries it, or it was removed.
        """
        values = {"due": _written(due), "failures": failures, "problem": problem}
        with self._database.writing("webhooks") as connection:
            as_read = sa.and_(WebhookRow.id == webhook.id, WebhookRow.due.is_not_distinct_from(_written(webhook.due)))
            if connection.execute(sa.update(WebhookRow).where(as_read).values(values)).rowcount != 1:
                raise Gone
            if told:
                connection.execute(sa.insert(ToldRow), {"webhook_id": webhook.id, "change_id": told})
            row = connection.execute(sa.select(WebhookRow.__table__).where(WebhookRow.id == webhook.id)).one()
        return _webhook(row._mapping)


def _webhook(row: Any) -> Webhook:
    lists = {"games": tuple(row["games"]), "kinds": tuple(row["kinds"])}
    days = {
        "since": date.fromisoformat(row["since"]),
        "due": datetime.fromisoformat(row["due"]) if row["due"] else None,
    }
    return Webhook(**{**row, **lists, **days})


def _written(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
