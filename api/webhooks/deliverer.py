"""The deliverer: tells webhooks what they have not been told yet, and tries again for days where nobody listens."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from http import HTTPStatus
from threading import Thread
from typing import Any, NamedTuple
from uuid import uuid4

import orjson

from api.open_data.change_record import RecordedChange, entry_id
from api.service.errors import Gone, Invalid, Undelivered
from api.webhooks.receiver import Network, Receiver
from api.webhooks.webhook_secrets import WebhookSecrets
from api.webhooks.webhook_store import Webhook, Webhooks
from carddb.errors import CardDataError

# After a failure, each plus up to a fifth; who fails for the three days and more that they make is given up.
PAUSES = (
    *(timedelta(seconds=5), timedelta(minutes=5), timedelta(minutes=30)),
    *(timedelta(hours=hours) for hours in (2, 5, 10, 14, 20, 24)),
)
TEST = "test"  # the kind of an entry that is none
LEASE = timedelta(minutes=3)  # longer than any try takes: whoever died has left the webhook to others by then
_JITTER = 0.2
_OTHER_KEY = "DECKPROOF_SECRET_KEY is another one here than where it was added, so nothing is sent"


class DeliveryReport(NamedTuple):
    """What came of a webhook's turn: how many changes it was told, and what went wrong then, if anything."""

    id: str
    told: int
    problem: str = ""

    def __str__(self) -> str:
        told = f"Webhook {self.id} was told {self.told} changes"
        return f"{told}; {self.problem}" if self.problem else told


class Deliverer:
    """Delivers the changes that there are; many may do so side by side, and one at a time to each webhook."""

    def __init__(
        self,
        webhooks: Webhooks,
        secrets: WebhookSecrets,
        networks: Sequence[Network] = (),
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._webhooks = webhooks
        self._secrets = secrets
        self._networks = networks
        self._clock = clock

    def run(self, changes: Callable[[], Sequence[RecordedChange]]) -> list[DeliveryReport]:
        """Deliver to all webhooks that are due, side by side, and report on those to which there was something to tell.

        `changes` gives the record, and is asked only if somebody is to be told of it.
        """
        due = [one for one in self._webhooks.listed() if one.due and one.due <= self._clock()]
        record = changes() if due else ()
        reports: list[DeliveryReport] = []
        # Threads that nobody waits for at the end of the process: what they do is done by the next one.
        turns = [Thread(target=self._report, args=(one, record, reports), daemon=True) for one in due]
        for turn in turns:
            turn.start()
        for turn in turns:
            turn.join()
        return reports

    def test(self, webhook: Webhook) -> None:
        """Send a message that tells of nothing; Undelivered if it does not arrive. If it does, all else is due now."""
        now = self._clock()
        told = _nothing(now.date())
        self._send(webhook, told["id"], orjson.dumps(told))
        self._webhooks.settle(webhook, now)

    def _report(self, webhook: Webhook, record: Sequence[RecordedChange], reports: list[DeliveryReport]) -> None:
        try:
            if self._untold(webhook, record):
                reports.append(self._take_turn(webhook, record))
        except Gone:
            pass  # somebody else has its turn, or it was removed
        except CardDataError as error:
            reports.append(DeliveryReport(webhook.id, 0, str(error)))

    def _take_turn(self, webhook: Webhook, record: Sequence[RecordedChange]) -> DeliveryReport:
        """Tell a webhook what it has not been told, the oldest first, until all is told or something fails."""
        held, told = self._webhooks.settle(webhook, self._clock() + LEASE, webhook.failures, webhook.problem), 0
        try:
            for change in self._untold(held, record):
                self._send(held, change.id, orjson.dumps(change.as_dict()))
                held = self._webhooks.settle(held, self._clock() + LEASE, told=change.id)
                told += 1
        except Undelivered as error:
            return DeliveryReport(held.id, told, self._put_off(held, error).state)
        self._webhooks.settle(held, self._clock())
        return DeliveryReport(held.id, told)

    def _untold(self, webhook: Webhook, record: Sequence[RecordedChange]) -> list[RecordedChange]:
        told = self._webhooks.told(webhook)
        return [change for change in reversed(record) if webhook.wants(change) and change.id not in told]

    def _send(self, webhook: Webhook, id: str, body: bytes) -> None:
        if self._secrets.fingerprint(webhook.id) != webhook.fingerprint:
            raise Undelivered(_OTHER_KEY)
        headers = self._secrets.signed(webhook.id, str(entry_id(id)), self._clock(), body)
        try:
            status = Receiver(webhook.url, self._networks).post(body, headers)
        except Invalid as error:  # of a setting that was another when it was added
            raise Undelivered(error.detail) from None
        if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
            raise Undelivered(_answered(status), final=status == HTTPStatus.GONE)

    def _put_off(self, webhook: Webhook, error: Undelivered) -> Webhook:
        """Say when a webhook is tried again that has failed once more; never, if it was long enough."""
        ended = error.final or webhook.failures >= len(PAUSES)
        due = None if ended else self._clock() + PAUSES[webhook.failures] * random.uniform(1, 1 + _JITTER)
        return self._webhooks.settle(webhook, due, webhook.failures + 1, str(error))


def _nothing(day: date) -> dict[str, Any]:
    """Return an entry as those of the record that says that nothing has changed."""
    about = "Nothing has changed: this is a test."
    entry = RecordedChange(f"{TEST}-{uuid4().hex}", TEST, "", None, day, day, "deckproof", about, None)
    return entry.as_dict() | {"game": None}


def _answered(status: int) -> str:
    redirects = HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST
    return f"it answers {status}" + (", and redirects are not followed" if redirects else "")
