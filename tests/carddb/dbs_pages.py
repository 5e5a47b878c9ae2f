"""Pages in the shape of the official Dragon Ball Super card list, with cards of our own."""

from collections.abc import Iterable, Mapping

CATEGORIES = {"428001": "First Booster -EXAMPLES-", "428901": "Promotion Cards"}

LEADER_FRONT = {
    "typeCol": "LEADER",
    "colorCol": "Red",
    "powerCol": "10000",
    "characterCol": "Example",
    "specialTraitCol": "Alien",
    "eraCol": "Example Saga",
    "skillCol": '<img src="c/Auto.png" alt="Auto" class="skillText"> Text one.<br>'
    '<img src="c/Awaken.png" alt="Awaken" class="skillText"> Text two.',
}
LEADER_BACK = {
    "powerCol": "15000",
    "characterCol": "Example/Other",
    "specialTraitCol": "Alien/Awakened",
    "skillCol": '<img src="c/Permanent.png" alt="Permanent" class="skillText"> You can include up to 7 copies of '
    "this card in your deck.",
}
BATTLE = {
    "typeCol": "BATTLE",
    "colorCol": "Red",
    "powerCol": "5000",
    "energyCol": '2(<img src="c/red_ball.png" alt="" class="colorCostBall" />)',
    "comboEnergyCol": "0",
    "comboPowerCol": "5000",
    "characterCol": "Example",
    "specialTraitCol": "Alien",
    "eraCol": "Example Saga",
    "skillCol": "-",
}


def face(name: str, fields: Mapping[str, str], number: str = "", extra: str = "", rarity: str = "Uncommon[UC]") -> str:
    """Return the HTML of one face of a card. With a number it is the front."""
    head = f'<dt class="cardNumber">{number}</dt>' if number else ""
    cells = "".join(f'<dl class="{field}"><dt>.</dt><dd>{said}</dd></dl>' for field, said in fields.items())
    return (
        f'<dl class="cardListCol csrdType{fields.get("typeCol", "")} {"cardFront" if number else ""}">{head}'
        f'<dd class="cardName">{name}</dd><dd class="leftCol"><div class="cardimg"><img class="zoomcard" src="x.png">'
        f'</div><dl class="rarityCol"><dt>Rarity</dt><dd>{rarity}</dd></dl></dd><dd class="rightCol">{cells}</dd>'
        f'<dd class="bottomCol">{extra}</dd></dl>'
    )


def available(day: str) -> str:
    """Return the field that says since when a printing may be played."""
    return f'<dl class="availableDateCol"><dt>Available in tournaments:</dt><dd>{day}</dd></dl>'


def card(number: str, name: str, fields: Mapping[str, str] = BATTLE, day: str = "July 28, 2017", **more: str) -> str:
    """Return a card with one face, with `fields` as the page shows them."""
    return f"<li>{face(name, {**fields, **more}, number, available(day))}</li>"


def leader(number: str, name: str, back_name: str, day: str = "July 28, 2017") -> str:
    """Return a leader with its two faces."""
    back = f'<div class="cardBack">{face(back_name, LEADER_BACK)}</div>'
    return f"<li>{face(name, LEADER_FRONT, number, available(day))}{back}</li>"


def page(items: Iterable[str], categories: Mapping[str, str] = CATEGORIES) -> str:
    """Return a result page with the search form, the list and the side navigation."""
    options = "".join(f'<option value="{id}">{label}</option>' for id, label in categories.items())
    return (
        "<!DOCTYPE html><html><head><title>CARD LIST</title></head><body>"
        '<form action="/us-en/cardlist/index.php?search=true" method="post" name="search">'
        f'<select name="category_exp"><option value="">Unspecified</option>{options}</select></form>'
        '<div id="listCol"><div class="paginator"><a class="pageBtn"><<</a><div class="pager"></div></div>'
        f'<ul class="list-inner">{"".join(items)}</ul></div></body></html>\n'
    )
