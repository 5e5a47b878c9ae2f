"""Pages in the shape of the official ONE PIECE card list, with cards of our own."""

from collections.abc import Iterable, Mapping

CAPTAIN = {
    "id": "OP99-001",
    "number": "OP99-001",
    "name": "Example Captain",
    "rarity": "L",
    "category": "LEADER",
    "cost": "4",
    "attribute": "<i>Slash</i>",
    "power": "5000",
    "counter": "-",
    "color": "Red/Blue",
    "type": "Example Crew/Test Pirates",
    "effect": "[Your Turn] First line.<br>[On Play] Second line.",
    "trigger": '<div class="trigger"><h3>Trigger</h3>[Trigger] Draw 1 card.</div>',
    "notes": "<div class=\"getInfo remarks\"><h3>Notes</h3><a href='/rules/#x'>Errata Card</a></div>",
}
EVENT = {
    "id": "OP99-020",
    "number": "OP99-020",
    "name": "Example Event",
    "rarity": "C",
    "category": "EVENT",
    "cost": "-",
    "attribute": "-<i></i>",
    "power": "-",
    "counter": "-",
    "color": "Blue",
    "type": "Example Crew",
    "effect": "-",
    "trigger": "",
    "notes": "",
}

_PRINTING = """
<a class="modalOpen" data-src="#{id}"><img class="lazy" src="/dummy.gif" data-src="../card/{id}.png?000000"></a>
<dl class="modalCol" id="{id}">
  <dt><div class="infoCol"><span>{number}</span> | <span>{rarity}</span> | <span>{category}</span></div>
    <div class="cardName">{name}</div></dt>
  <dd><div class="frontCol"><img class="lazy" src="/dummy.gif" data-src="../card/{id}.png?000000"></div>
    <div class="backCol">
      <div class="col2"><div class="cost"><h3>{label}</h3>{cost}</div>
        <div class="attribute"><h3>Attribute</h3>{attribute}</div></div>
      <div class="col2"><div class="power"><h3>Power</h3>{power}</div>
        <div class="counter"><h3>Counter</h3>{counter}</div></div>
      <div class="col2"><div class="color"><h3>Color</h3>{color}</div>
        <div class="block"><h3>Block<br class="spInline"> icon</h3>5</div></div>
      <div class="feature"><h3>Type</h3>{type}</div>
      <div class="text"><h3>Effect</h3>{effect}</div>
      {trigger}
      <div class="getInfo"><h3>Card Set(s)</h3>-AN EXAMPLE- [OP99]</div>{notes}
    </div></dd>
</dl>"""

_PAGE = """<!DOCTYPE html>
<html><body>
<select name="series" class="selectModal" id="series">
  <option value>Recording</option>
  <option value="569999" selected>BOOSTER PACK &lt;br class=&quot;spInline&quot;&gt;-AN EXAMPLE- [OP-99]</option>
</select>
<div class="pageDetailCol"><div class="countCol">{count}</div></div>
<div class="resultCol">{printings}
</div>
</body>
</html>"""


def without_results(page: str) -> str:
    """Return a page with its menu, of a search that found nothing."""
    start, end = page.index('<div class="pageDetailCol">'), page.index("</body>")
    return f'{page[:start]}<div class="txtCenter">Failed to display the card list.</div>{page[end:]}'


def page(printings: Iterable[Mapping[str, str]], count: str | None = None) -> str:
    """Return a page of these printings. `count` replaces the right number of results."""
    made = [_PRINTING.format(label="Life" if one["category"] == "LEADER" else "Cost", **one) for one in printings]
    return _PAGE.format(count=count or f"{len(made)} results", printings="".join(made))
