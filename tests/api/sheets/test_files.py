"""Files: a name that no system trips over, and a warning where something is not drawn."""

import pytest

from api.sheets.sheet_files import KINDS, file_name, warnings
from tests.api.sheets.desk import filled


@pytest.mark.parametrize("kind", KINDS)
def test_a_sheet_is_had_as_every_kind(kind):
    begins = {"pdf": b"%PDF-", "xlsx": b"PK", "csv": b"\xef\xbb\xbfsection,"}[kind]
    assert KINDS[kind].write(filled(), "letter").startswith(begins)


@pytest.mark.parametrize(
    ("player", "name"),
    [
        ("First Last", "deck-Last-First.pdf"),
        ("../../etc/passwd", "deck-etc-passwd.pdf"),
        ('a"b\\c;d', "deck-a-b-c-d.pdf"),
        ("山田 太郎", "deck-山田-太郎.pdf"),
        ("CON", "deck-CON.pdf"),
        ("!!", "deck-sheet.pdf"),
        ("x" * 100, f"deck-{'x' * 60}.pdf"),
    ],
)
def test_a_file_is_named_after_its_player(player, name):
    assert file_name(filled({"player": player}), "pdf") == name


def test_only_what_is_drawn_can_lack_a_glyph():
    odd = filled({"player": "Zoë 🎉"})
    assert [len(warnings(odd, kind)) for kind in ("pdf", "xlsx", "csv")] == [1, 0, 0]
    assert warnings(filled({"player": "山田"}), "pdf") == []
