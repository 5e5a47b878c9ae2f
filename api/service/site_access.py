"""Sites: how the settings say that the official ones are asked."""

from __future__ import annotations

from api.service.settings import Settings
from carddb.sync.card_sync import Access
from carddb.sync.fetch_policy import FetchPolicy


def access(settings: Settings, game: str) -> Access:
    """Return how to get at the official site of a game, or at its mirror."""
    address = {"optcg": settings.optcg_site, "dbs": settings.dbs_site}.get(game, "")
    return Access(settings.data_dir / "pages", address, FetchPolicy(pause=settings.sync_pause))
