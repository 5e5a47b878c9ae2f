"""The access to the official sites, by the settings.

Called by syncs. Servers do not import the modules that fetch pages.
"""

from __future__ import annotations

from api.service.settings import Settings
from carddb.sync.card_sync import Access
from carddb.sync.fetching import FetchPolicy


def access(settings: Settings, game: str) -> Access:
    """Return the access for syncs to a game's official site, or to a mirror that the settings name.

    It has the folder of stored pages, the site's address ("" for a game other than optcg and dbs), and the pause
    between requests. No request is sent here.
    """
    address = {"optcg": settings.optcg_site, "dbs": settings.dbs_site}.get(game, "")
    return Access(settings.data_dir / "pages", address, FetchPolicy(pause=settings.sync_pause))
