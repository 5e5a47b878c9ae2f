"""Official sites: the addresses of their pages, and the functions that read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial

from carddb.errors import CardDataError, NoResults
from carddb.sources import dragonball, onepiece, restrictions
from carddb.sources.pages import CardPage
from carddb.sources.restrictions import OfficialPage
from validator.errors import error_text
from validator.games import GAMES, game_of
from validator.language import phrase


@dataclass(frozen=True, slots=True)
class OfficialSite:
    """The official site of a game. The readers take the HTML of a page and its name in messages.

    `menu` is the path of the page with the list of packs. `pack` is the path of a pack's page with `{}` for its id, and
    `limits` the path of the page of banned and restricted cards. `read_menu` returns labels (for people) by pack id, in
    the order of the page. The third argument of `read_pack` is the id of the expected pack (None: any), that of
    `read_limits` today's date. Sites whose pages do not need it ignore it.
    """

    game: str
    menu: str
    pack: str
    limits: str
    read_menu: Callable[[str, str], Mapping[str, str]]
    read_pack: Callable[[str, str, str | None], CardPage]
    read_limits: Callable[[str, str, date], OfficialPage]

    @property
    def address(self) -> str:
        """The official address of the site. It is used if no mirror is set."""
        return GAMES[self.game].site

    def reader(self, pack: str) -> Callable[[str, str], CardPage]:
        """Return the function that parses the page of the pack with this id, from its HTML and its name in messages.

        A search without results becomes an empty page with a notice.
        """
        return partial(_read_pack_or_empty, self, pack)


def _read_pack_or_empty(site: OfficialSite, pack: str, html: str, location: str) -> CardPage:
    """Return the parsed page of a pack. A search without results gives an empty page with a notice.

    Raises PageError if the page cannot be parsed.
    """
    try:
        return site.read_pack(html, location, pack)
    except NoResults as nothing:
        return CardPage((), (error_text(nothing),))


_ALL = (
    OfficialSite(
        game=onepiece.GAME,
        menu="/cardlist/",
        pack="/cardlist/?series={}",
        limits="/news/restriction.html",
        read_menu=onepiece.parse_packs,
        read_pack=onepiece.parse_card_page,
        read_limits=restrictions.parse_onepiece_page,
    ),
    OfficialSite(
        game=dragonball.GAME,
        menu="/us-en/cardlist/",
        pack="/us-en/cardlist/?search=true&category={}",
        limits="/us-en/rule/banned-limited-cards.php",
        read_menu=dragonball.parse_categories,
        # The page of a category does not say which one it is of.
        read_pack=lambda html, where, _: dragonball.parse_result_page(html, where),
        read_limits=lambda html, where, _: restrictions.parse_dragonball_page(html, where),
    ),
)
SITES: Mapping[str, OfficialSite] = {site.game: site for site in _ALL}


def official_site(game: str, limits: bool = False) -> OfficialSite:
    """Return the official site of a game. Raises CardDataError if none is known, and UnknownGame.

    `limits` changes only the message: it is about the limits page then.
    """
    if game_of(game).id not in SITES:
        if limits:
            raise CardDataError(phrase("There is no official limits page of {game} to compare with.", game=game))
        raise CardDataError(
            phrase("There is no official card list of {game} that could be read; import a spreadsheet.", game=game)
        )
    return SITES[game]
