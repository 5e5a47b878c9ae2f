"""Pages in the shape of the two official pages of banned and restricted cards, with what a test puts on them."""

from collections.abc import Iterable

NONE = "<p>There are currently no cards in this category.</p>"


def dragonball_card(number: str, name: str, since: str = "From July 3 2026 onward.") -> str:
    """Return the HTML of one card with two periods. The European one begins on another day."""
    return (
        '<div class="limitedCardList-inner cardColorBlue"><dl class="cardInfo notesCol">'
        f'<dt class="title">Card No.</dt><dd class="contents">{number}</dd>'
        f'<dt class="title">Card Name</dt><dd class="contents">{name}</dd></dl>'
        '<div class="limitedCardCol"><div class="cellbox"><img src="x.png"></div>'
        f'<dl class="notesCol cellbox"><dt>Period</dt><dd>North America, Oceania, Asia<br>{since}</dd>'
        "<dd>Europe (English version)<br>From January 1, 2030 onward.</dd></dl></div></div>"
    )


def dragonball(
    banned: Iterable[str], limited: Iterable[str], updated: str = "June 19, 2026", best_of_one: str = ""
) -> str:
    """Return the page of Dragon Ball Super with its three sections."""
    nobody = "<p class=readTxt>(No cards are currently {}.)</p>"
    return (
        "<!DOCTYPE html><html><body><h4 class='box-in subTitle'>Banned/Limited Cards<br>"
        f"<small>(last updated on {updated})</small></h4><ul><li><a href='#bannedCardList'>Banned Cards</a></li></ul>"
        "<section><div id='bannedCardList'><h5>Banned Card</h5><p>This card cannot be put in your deck.</p>"
        f"{''.join(banned) or nobody.format('banned')}</div></section>"
        f"<section><div id='bannedCardListBest-of-1Format'>{best_of_one or nobody.format('banned')}</div></section>"
        "<section><div id='limitedCardList'><h5>Limited Card</h5><p>You can only include a total 1 copy of this card "
        f"between your deck and side deck at tournaments.</p>{''.join(limited)}</div></section></body></html>"
    )


def onepiece_card(number: str, name: str, label: str = "・") -> str:
    """Return one card, with the link by which it is found in the card list."""
    return f"<li>{label} <a href='/cardlist/?freewords={number}'>{number} {name}</a></li>"


def onepiece(
    banned: Iterable[str], restricted: Iterable[str] = (), pairs: Iterable[Iterable[str]] = (), notices: str = ""
) -> str:
    """Return the page of ONE PIECE. The HTML `notices` are above the active restrictions."""
    lists = "".join(f"<ul>{''.join(pair)}</ul>" for pair in pairs)
    return (
        f"<!DOCTYPE html><html><body><ul><li>News</li></ul>{notices}<h3>Cards with Active Restrictions</h3>"
        f"<h4>Banned Cards</h4><p>The following card(s) cannot be included in any deck.</p><ul>{''.join(banned)}</ul>"
        f"<h4>Restricted Cards</h4>{'<ul>' + ''.join(restricted) + '</ul>' if restricted else NONE}"
        f"<h4>Banned Pair Cards</h4>{lists or NONE}<h3>History of Banned Cards</h3>"
        "<ul><li><a href='/topics/019.php'>2025</a></li></ul></body></html>"
    )


def notice(day: str, heading: str, cards: Iterable[str]) -> str:
    """Return an announcement."""
    return f"<h3>Banned/Restricted Cards effective from {day}</h3><h4>{heading}</h4><ul>{''.join(cards)}</ul>"
