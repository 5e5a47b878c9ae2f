"""The cards of a snapshot in one compressed piece with a checksum, in place of a row for each card."""

import hashlib
import zlib

import orjson
import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Create the table `snapshot_cards`, pack the cards of each snapshot into it, and drop the table `card`."""
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
    """Return the columns of a new row of `snapshot_cards`: the packed cards of a snapshot from the table `card`.

    The checksum is "" if the cards differ from the imported ones in number or `content` hash, so that they count as
    damaged.
    """
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
    """Return the hash of cards (number, name, type, facts) that snapshots of this revision have in `content`.

    Clauses and keywords of cards with a text are left out. The order of the cards does not count.
    """
    hashed = []
    for number, name, kind, facts in cards:
        card = {"number": number, "name": name, "type": kind, **facts}
        if card.get("text") or card.get("back_text"):  # what a text says is read from it again
            card.pop("construction", None)
            card.pop("keywords", None)
        hashed.append(orjson.dumps(card, option=orjson.OPT_SORT_KEYS))
    return hashlib.sha256(b"\n".join([game.encode(), *sorted(hashed)])).hexdigest()
