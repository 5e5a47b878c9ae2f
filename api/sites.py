"""Sites: how the settings say that the official ones are asked."""

from __future__ import annotations

from api.config import Settings
from carddb.manners import Manners
from carddb.sync import Access


def access(settings: Settings, game: str) -> Access:
    """Return how to get at the official site of a game, or at its mirror."""
    address = {"optcg": settings.optcg_site, "dbs": settings.dbs_site}.get(game, "")
    return Access(settings.data_dir / "pages", address, Manners(pause=settings.sync_pause))
