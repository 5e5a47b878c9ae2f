"""Archives of events, as servers write them and as forgers do.

The files `version_*.json` were exported by the deckproof that wrote this version. All players in them are invented.
"""

import json
from pathlib import Path

from api.events.storage import event_archive, event_audit
from api.events.storage.event_archive import ArchiveKey
from api.service.errors import Unusable
from tests.api.events.conftest import ILLEGAL, Hall

HERE, ELSEWHERE = ArchiveKey("the key of this server"), ArchiveKey("the key of another server")
ARCHIVES = {path.stem: path.read_bytes() for path in sorted(Path(__file__).parent.glob("version_*.json"))}
OF_THE_FIRST_VERSION = ARCHIVES["version_1"]
_LIMITS_LIST = """document = "House list"
[[change]]
effective_from = 2026-01-01
region = "en"
source = "https://example.com/house-list"
restrict.OP01-016 = {limit = 3, name = "Nami"}
"""


def filled(app):
    """An event with all that there can be in one."""
    seen = {"lists": "judges", "roster": "public"}
    hall = Hall(app.test_client(), policy={"release_delay_days": 7}, visibility=seen, limits_list=_LIMITS_LIST)
    rid, player = hall.register(
        "Łukasz Żółć", table="7", email="nami@example.com", notes="\U0001f600", decklist="???\n"
    )
    player.revise(rid, decklist=ILLEGAL)
    other, _ = hall.register("山田 陽菜")
    gone, leaver = hall.register("Leaves Early")
    leaver.delete(f"/registrations/{gone}")
    hall.organiser("PUT", "/expected", json={"players": ["Zoro Roronoa"]})
    hall.judge.patch(f"/registrations/{rid}", until="2026-10-25T09:30", cut=True)
    cid = hall.judge.post("/checks", {"registration": other, "table": "7"}).json["id"]
    hall.judge.put(f"/checks/{cid}", {"tally": {"main": {"OP01-016": 3}}, "outcome": "deck differs"}, '"1"')
    hall.judge.post("/checks", {"draw": {"seed": "7"}})
    assert hall.judge.post("/checks:seed", {"seed": "seven"}).status_code == 200
    hall.organiser.post("/keys", {"name": "Table 1"})
    revoked = hall.organiser.post("/keys", {"name": "Table 2"}).json["id"]
    hall.organiser.delete(f"/keys/{revoked}")
    _with_duplicates(hall)
    _with_imports(hall)
    assert (
        hall.organiser.patch("", place="Hall 7", visibility={**seen, "verdicts": True}, reason="moved").status_code
        == 200
    )
    return hall


def _with_duplicates(hall):
    """Register a player four times: merge two registrations, and mark a third as that of another player."""
    kept, merged, separate = (hall.register("Nami Cat", player_id="12")[0] for _ in range(3))
    wish = {"other": merged, "list": "own", "reason": "came twice"}
    assert hall.judge.post(f"/registrations/{kept}/merge", wish).status_code == 200
    assert hall.judge.post(f"/registrations/{kept}/separate", {"other": separate}).status_code == 200


def _with_imports(hall):
    """Import two spreadsheets, and undo the second import."""
    for rows in ("Player,Table\nŁukasz Żółć,9\nZoro Dog,12\n", "Player,Deck list\nSanji Fox,4 OP01-016\n"):
        answer = hall.organiser(
            "POST", "/registrations:import?name=players.csv", data=rows.encode(), content_type="text/csv"
        )
        assert answer.status_code == 200, answer.json
    assert hall.organiser.post(f"/imports/{answer.json['import']}:undo", {}).status_code == 200


def store_of(app):
    return app.extensions["deckproof"].desk.store


def exported(app, hall):
    """The file of an event, and the head of its audit."""
    return event_archive.export_event(store_of(app), hall.id, HERE, app.extensions["deckproof"].desk.now())


def forged(said):
    """An archive whose chain and digests fit its rows again, as anyone can make them without the server's key."""
    event, audit = said["rows"]["event"][0], said["rows"]["audit"]
    if audit and audit[-1]["action"] == "exported":
        audit[-1]["digest"] = event_audit.digest(event_archive._digest(said))
    head = event_audit.FIRST
    for number, entry in enumerate(audit, start=1):
        entry["number"] = number
        parts = [entry[name] for name in ("at", "by", "action", "about", "digest")]
        head = entry["hash"] = event_audit.chain_hash(head, event["id"], number, *parts)
    event["audited"], event["audit_head"] = len(audit), head
    return said


def attempt(said, key, **given):
    """Return the archive that is read from a file or from its content, None if the file is refused."""
    try:
        return event_archive.read(said if isinstance(said, bytes) else json.dumps(said).encode(), key, **given)
    except Unusable:
        return None


def parse_forgery(file):
    """Return the archive that is parsed from a file. None if all servers refuse the file."""
    try:
        return event_archive.parse_archive(file)
    except Unusable:
        return None


def verify_forgery(archive, key, head="", allow_unverified=False):
    """Return the archive that is verified from a parsed one, None if the archive is refused."""
    try:
        return archive and event_archive.verify_archive(archive, key, head, allow_unverified)
    except Unusable:
        return None
