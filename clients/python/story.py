"""What the README does with curl, by the client generated from docs/openapi.json: python story.py http://localhost:8000"""

import json
import sys
from datetime import date

from deckproof_client import Client
from deckproof_client.api.cards import get_v1_cards_game_number
from deckproof_client.api.limits import get_v1_limits_game
from deckproof_client.api.repairs import post_v1_repair
from deckproof_client.api.rulesets import get_v1_rulesets
from deckproof_client.api.validation import post_v1_validate
from deckproof_client.models import GetV1CardsGameNumberGame as CardGame
from deckproof_client.models import GetV1LimitsGameGame as LimitsGame
from deckproof_client.models import Repair, RepairGame, Validate, ValidateGame

client = Client(base_url=sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8000")
decklist, on = "1 ST21-001\n4 OP01-016 Nami", date(2026, 11, 21)

asked = Validate(game=ValidateGame.OPTCG, decklist=decklist, on=on, summary=True)
verdict = post_v1_validate.sync(client=client, body=asked)
repaired = post_v1_repair.sync(client=client, body=Repair(game=RepairGame.OPTCG, decklist=decklist, on=on))
rulesets = get_v1_rulesets.sync(client=client)
limits = get_v1_limits_game.sync(LimitsGame.OPTCG, client=client, on=on)
card = get_v1_cards_game_number.sync(CardGame.OPTCG, "op01-016_p1", client=client)
problem = post_v1_validate.sync(client=client, body=Validate(ruleset="chess-1", decklist=decklist))

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
