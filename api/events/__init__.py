"""Events: who brings which deck, until when, and who may see it."""

from __future__ import annotations

from api.events.base_desk import EventLimits
from api.events.registration_desk import RegistrationDesk
from api.events.storage.event_store import EventStore
from api.service.judges import Judges
from api.service.settings import Settings
from carddb.database import Database


def desk(settings: Settings, database: Database, judges: Judges) -> RegistrationDesk:
    """Return a registration desk for the events in a database, with the limits of the settings. Reads nothing yet.

    The settings give all fields of EventLimits, such as the largest number of events and the admin key.
    """
    bounds = EventLimits(
        settings.max_events,
        settings.admin_key,
        settings.event_days,
        bool(settings.open_events),
        settings.unused_event_days,
        settings.stranger_bytes,
        settings.restore_days,
    )
    return RegistrationDesk(EventStore(database), judges, bounds)
