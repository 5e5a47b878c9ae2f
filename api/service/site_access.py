"""The access to the official sites, by the settings.

Called by syncs. Servers do not import the modules that fetch pages.
"""

from __future__ import annotations

from api.service.settings import Settings
from carddb.sync.card_sync import Access
from carddb.sync.fetching import FetchPolicy


def access(settings: Settings, game: str) -> Access:
    """Return the access to the official site of a game, or to its mirror if the settings name one."""
    address = {"optcg": settings.optcg_site, "dbs": settings.dbs_site}.get(game, "")
    return Access(settings.data_dir / "pages", address, FetchPolicy(pause=settings.sync_pause))
