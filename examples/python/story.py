"""Ask a deckproof server with the generated Python client: python story.py http://localhost:8000"""

import json
import sys
from datetime import date

from deckproof_client import Client
from deckproof_client.api.cards import show_card
from deckproof_client.api.limits import show_limits
from deckproof_client.api.repairs import repair_deck
from deckproof_client.api.rulesets import list_rulesets
from deckproof_client.api.validation import validate_deck
from deckproof_client.models import Game, Repair, Validate

client = Client(base_url=sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8000")
decklist, on = "1 ST21-001\n4 OP01-016 Nami", date(2026, 11, 21)

asked = Validate(game=Game.OPTCG, decklist=decklist, on=on, summary=True)
verdict = validate_deck.sync(client=client, body=asked)
repaired = repair_deck.sync(client=client, body=Repair(game=Game.OPTCG, decklist=decklist, on=on))
rulesets = list_rulesets.sync(client=client)
limits = show_limits.sync(Game.OPTCG, client=client, on=on)
card = show_card.sync(Game.OPTCG, "op01-016_p1", client=client)
problem = validate_deck.sync(client=client, body=Validate(ruleset="chess-1", decklist=decklist))

print(
    json.dumps(
        {
            "legal": verdict.legal,
            "codes": [finding.code.value for finding in verdict.findings],
            "section": verdict.findings[0].rule.section,
            "changes": repaired.changes,
            "rulesets": [ruleset.id for ruleset in rulesets.rulesets],
            "banned": len(limits.cards),
            "card": card.name,
            "pointer": problem.errors[0].pointer,
        }
    )
)
