"""The cards of a snapshot in one compressed piece with a checksum, in place of a row for each card."""

import hashlib
import zlib

import orjson
import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Create the table, pack the cards of each snapshot into it, and drop the table of cards."""
    op.create_table(
        "snapshot_cards",
        sa.Column("snapshot_id", sa.String(80), sa.ForeignKey("snapshot.id"), primary_key=True),
        sa.Column("checksum", sa.String(64), nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    connection = op.get_bind()
    snapshots = connection.execute(sa.text("select id, game, content, cards from snapshot")).all()
    for snapshot in snapshots:
        connection.execute(sa.insert(_PACKED), _packed(connection, *snapshot))
    op.drop_table("card")


_PACKED = sa.table("snapshot_cards", sa.column("snapshot_id"), sa.column("checksum"), sa.column("data", sa.LargeBinary))
_CARDS = sa.text(
    "select number, name, type, cast(facts as text) from card where snapshot_id = :snapshot_id order by position"
)


def _packed(connection: sa.Connection, snapshot_id: str, game: str, content: str, count: int) -> dict[str, object]:
    """Return the row of a snapshot. Its checksum is "" if its cards are not those that were imported."""
    rows = connection.execute(_CARDS, {"snapshot_id": snapshot_id}).all()
    try:
        cards = [(number, name, kind, orjson.loads(facts)) for number, name, kind, facts in rows]
        is_whole = len(cards) == count and _content(game, cards) == content
    except (orjson.JSONDecodeError, TypeError):
        cards, is_whole = [], False
    data = zlib.compress(b"\n".join(map(orjson.dumps, cards)))
    checksum = hashlib.sha256(f"{content} {count}\n".encode() + data).hexdigest() if is_whole else ""
    return {"snapshot_id": snapshot_id, "checksum": checksum, "data": data}


def _content(game: str, cards: list[tuple[str, str, str, dict[str, object]]]) -> str:
    """Return the hash of cards that a snapshot of this revision has."""
    hashed = []
    for number, name, kind, facts in cards:
        card = {"number": number, "name": name, "type": kind, **facts}
        if card.get("text") or card.get("back_text"):  # what a text says is read from it again
            card.pop("construction", None)
            card.pop("keywords", None)
        hashed.append(orjson.dumps(card, option=orjson.OPT_SORT_KEYS))
    return hashlib.sha256(b"\n".join([game.encode(), *sorted(hashed)])).hexdigest()
