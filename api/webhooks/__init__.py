"""Webhooks: whoever runs deckproof has every change of the record told to addresses of theirs, once each and signed."""

from __future__ import annotations

from api.open_data import change_record
from api.service.settings import Settings
from api.webhooks.deliverer import Deliverer, DeliveryReport
from api.webhooks.webhook_secrets import WebhookSecrets
from api.webhooks.webhook_store import Webhooks
from carddb.database import Database
from carddb.library import Library
from validator.games import GAMES


def deliverer(settings: Settings, database: Database) -> Deliverer:
    """Return who delivers to the webhooks of a database, as the settings say."""
    return Deliverer(Webhooks(database), WebhookSecrets(settings), settings.webhook_networks)


def deliver(settings: Settings, library: Library) -> list[DeliveryReport]:
    """Tell the webhooks that are due what they have not been told, and return what came of it."""
    made = deliverer(settings, library.store().database)
    return made.run(lambda: change_record.changes(map(library.catalogue, GAMES)))
