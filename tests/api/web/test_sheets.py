"""Sheets over HTTP: files with a name, and everything wrong said at once."""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.sheets.registration import LONGEST
from api.sheets.sheet_files import BLANK, KINDS
from tests.api.sheets.desk import pages, texts, workbook

REGISTRATION = {"player": "First Last", "player_id": "0012345678", "event": "Winter Regional", "table": "42"}
DAY = "2026-11-01"
MEDIA = {kind: KINDS[kind].media_type for kind in BLANK}


@pytest.fixture(scope="module")
def asked(client, zoro):
    """Ask for the sheet of a deck that is legal, with these entries besides; None leaves one out."""

    def ask(query="", headers=None, **entries):
        body = {"game": "optcg", "on": DAY, "deck": zoro, **REGISTRATION, **entries}
        given = {key: value for key, value in body.items() if value is not None}
        return client.post(f"/v1/sheets{query}", json=given, headers=headers)

    return ask


def test_a_sheet_is_a_pdf_that_is_called_after_the_player(asked):
    answer = asked()
    assert (answer.status_code, answer.content_type) == (200, "application/pdf")
    assert answer.headers["Content-Disposition"] == "attachment; filename=deck-Last-First.pdf"
    assert answer.headers["Deckproof-Legal"] == "true"
    assert "Deckproof-Warning" not in answer.headers
    (text,) = pages(answer.data)
    assert all(said in text for said in ("Last, First", "0012345678", "Winter Regional", "LEGAL", "OP01-016"))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_it_comes_as_the_file_that_is_asked_for(asked, kind):
    media_type = KINDS[kind].media_type
    named = asked(f"?as={kind}")
    assert named.content_type == media_type
    for accept in (media_type, media_type.partition(";")[0], f"text/html, {media_type};q=0.9"):
        assert asked(headers={"Accept": accept}).content_type == media_type
    assert asked(f"?as={kind}", {"Accept": "application/pdf"}).data[:4] == named.data[:4]
    assert f".{kind}" in named.headers["Content-Disposition"]


@pytest.mark.parametrize("accept", ["", "*/*", "text/html,*/*;q=0.8", "image/png"])
def test_who_asks_for_nothing_that_there_is_gets_a_pdf(asked, accept):
    assert asked(headers={"Accept": accept}).content_type == "application/pdf"


@pytest.mark.parametrize("kind", BLANK)
def test_a_blank_sheet_is_had_for_a_game_and_an_event(client, kind):
    query = {"game": "dbs", "event": "Winter Regional", "date": DAY, "format_name": "Trios", "paper": "letter"}
    for asking in ({"query_string": query | {"as": kind}}, {"query_string": query, "headers": {"Accept": MEDIA[kind]}}):
        answer = client.get("/v1/sheets/blank", **asking)
        assert (answer.status_code, answer.content_type) == (200, MEDIA[kind])
        assert answer.headers["Content-Disposition"] == f"attachment; filename=deck-sheet.{kind}"
    if kind == "pdf":
        (text,) = pages(answer.data)
        assert f"Dragon Ball Super · Trios · Winter Regional · {DAY}" in text
        assert "Z-Deck" in text


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ({}, "/game"),
        ({"game": "chess"}, "/game"),
        ({"game": "optcg", "as": "csv"}, "/as"),
        ({"game": "optcg", "date": "soon"}, "/date"),
        ({"game": "optcg", "event": "x" * 121}, "/event"),
        ({"game": "optcg", "player": "Last"}, "/player"),
    ],
)
def test_what_is_wrong_with_a_blank_sheet_is_pointed_at(client, query, pointer):
    answer = client.get("/v1/sheets/blank", query_string=query)
    assert (answer.status_code, [error["pointer"] for error in answer.json["errors"]]) == (422, [pointer])


def test_an_illegal_deck_has_a_sheet_that_says_so(asked, zoro):
    answer = asked(deck={**zoro, "main": [*zoro["main"], {"number": "OP01-016", "count": 1}]})
    assert answer.status_code == 200
    assert answer.headers["Deckproof-Legal"] == "false"
    text = "\n".join(pages(answer.data))
    assert "NOT LEGAL" in text
    assert "5-1-2-3" in text  # the rule on copies


def test_a_decklist_is_as_good_as_a_deck_and_its_unread_lines_are_on_the_sheet(asked):
    rows = [row for row in texts(workbook(asked("?as=xlsx", deck=None, decklist=_LIST).data)["Registration"]) if row]
    assert ["1", "ST21-001"] not in rows
    assert any(row[:2] == [4, "OP01-016"] for row in rows)
    assert any("4x ???" in str(cell) for row in rows for cell in row)


_LIST = "1 ST21-001\n4 OP01-016 Nami\n4x ???\n"


def test_a_deck_is_judged_for_the_day_of_the_event_where_no_other_is_named(asked):
    def judged_for(**days):
        answer = asked("?as=csv", **days)
        return {row["judged_for"] for row in csv.DictReader(io.StringIO(answer.data.decode("utf-8-sig")))}

    assert judged_for(on=None, date="2026-12-05") == {"2026-12-05"}
    assert judged_for(on=DAY, date="2026-12-05") == {DAY}


def test_the_paper_is_a4_or_letter(asked):
    assert b"612" in asked("?paper=letter").data
    assert b"595.28" in asked("?paper=a4").data


def test_a_character_without_a_font_is_named_in_a_header_and_written_as_its_code_point(asked):
    answer = asked(player="Zoë 🎉")
    assert "U+1F389 PARTY POPPER" in answer.headers["Deckproof-Warning"]
    assert "[U+1F389]" in pages(answer.data)[0]
    many = asked(notes="".join(map(chr, range(0x13000, 0x13100))))
    assert many.headers["Deckproof-Warning"].isascii()
    assert len(many.headers["Deckproof-Warning"]) < 2000


@pytest.mark.parametrize(
    "player", ["山田 太郎", "محمد علي", 'a"b\r\nSet-Cookie: x=1', "../../etc/passwd", "'; x", "🎉"]
)
def test_no_name_breaks_a_header_or_leaves_a_folder(asked, player):
    answer = asked(player=player)
    assert answer.status_code == 200
    disposition = answer.headers["Content-Disposition"]
    assert disposition.isascii()
    assert not set("/\\\r\n") & set(disposition)
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    ("entries", "pointers"),
    [
        ({"player": None}, ["/player"]),
        ({"player": ""}, ["/player"]),
        ({"last_name": "Last"}, ["/player"]),
        ({"player_id": 12345678}, ["/player_id"]),
        ({"player_id": "=1+1"}, ["/player_id"]),
        ({"date": "21.11.2026"}, ["/date"]),
        ({"date": "2026-02-30"}, ["/date"]),
        ({"event": "x" * (LONGEST["event"] + 1)}, ["/event"]),
        ({"birthday": "2000-01-01"}, ["/birthday"]),
        ({"explain": True}, ["/explain"]),
        ({"deck": None}, ["/deck"]),
        ({"deck": {"main": [{"number": "OP01-016", "count": 0}]}}, ["/deck/main/0/count"]),
        ({"game": "chess"}, ["/game"]),
        ({"game": "chess", "player": None, "deck": None, "table": []}, ["/deck", "/game", "/table", "/player"]),
    ],
)
def test_everything_wrong_is_said_with_its_place(asked, entries, pointers):
    answer = asked(**entries)
    assert (answer.status_code, answer.content_type) == (422, "application/problem+json")
    assert [error["pointer"] for error in answer.json["errors"]] == pointers


@pytest.mark.parametrize("query", ["?as=docx", "?paper=a3", "?size=1"])
def test_a_query_that_means_nothing_is_refused(asked, query):
    assert asked(query).status_code == 422


def test_a_list_that_no_sheet_could_hold_is_refused(asked):
    decklist = "\n".join(f"1 Nobody number {n}" for n in range(1001))
    assert asked(deck=None, decklist=decklist).status_code == 422


@pytest.mark.parametrize(("body", "status"), [(b"{", 400), (b"[]", 422), (b'"x"', 422), (b"", 400)])
def test_a_body_that_is_no_request_is_a_problem(client, body, status):
    answer = client.post("/v1/sheets", data=body, content_type="application/json")
    assert (answer.status_code, answer.content_type) == (status, "application/problem+json")


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(st.sampled_from(sorted(LONGEST)), st.text(max_size=130) | st.integers() | st.none()),
    st.sampled_from(sorted(KINDS)),
)
def test_whatever_stands_in_a_field_is_printed_or_refused(asked, entries, kind):
    answer = asked(f"?as={kind}", **entries)
    assert answer.status_code in (200, 422)
    assert all(value.isascii() and value.isprintable() for value in answer.headers.values())
