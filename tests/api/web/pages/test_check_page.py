"""The check page: what a verdict says stands on it, whatever the browser can do, and nothing else runs in it."""

from __future__ import annotations

import io
import re
from urllib.parse import urlencode

import pytest
from selectolax.lexbor import LexborHTMLParser

from api.web.pages.check_page import EXAMPLES
from tests.api.conftest import EXAMPLES as FILES

ZORO = (FILES / "optcg-red-zoro.txt").read_text("utf-8")
FIVE = (FILES / "optcg-five-copies.txt").read_text("utf-8")
DAY = "2026-11-21"
HTMX = {"HX-Request": "true"}


def read(answer):
    return LexborHTMLParser(answer.get_data(as_text=True))


def texts(page, selector):
    return [" ".join(node.text().split()) for node in page.css(selector)]


@pytest.fixture(scope="module")
def checked(client):
    """What `POST /` answers to a list with terms."""

    def post(decklist, headers=None, path="/", **terms):
        return client.post(path, data={"decklist": decklist, "on": DAY} | terms, headers=headers or {})

    return post


def test_the_page_asks_for_a_list_and_shows_what_to_try(client):
    page = read(client.get("/"))
    assert page.css_first("textarea[name=decklist]").text().strip() == ""
    assert {node.attributes["name"] for node in page.css("form [name]")} == {
        "decklist", "file", "game", "on", "format", "region", "best_of", "ruleset", "side_max",
        "copies_across_side", "main_min", "main_max", "copies", "limits_list"
    }  # fmt: skip
    assert len(page.css(".welcome a")) == len(EXAMPLES)


@pytest.mark.parametrize(("place", "legal"), [(0, True), (1, False), (2, True)])
def test_what_is_to_be_tried_is_judged_at_once(client, place, legal):
    link = read(client.get("/")).css(".welcome a")[place].attributes["href"]
    page = read(client.get(link))
    assert texts(page, "#verdict") == ["✓ Legal" if legal else "✗ Not legal"]
    assert page.css_first("textarea[name=decklist]").text().strip() == EXAMPLES[place].strip()


def test_a_legal_deck_is_said_to_be(checked):
    page = read(checked(ZORO))
    assert texts(page, "#verdict") == ["✓ Legal"]
    assert not page.css(".finding")
    assert texts(page, ".sizes .badge") == ["Leader 1", "Deck 50"]


def test_a_page_says_what_the_interface_says(client, checked):
    """Each finding with its sentence, its rule, and what to do; the same terms, the same hash."""
    verdict = client.post("/v1/validate", json={"decklist": FIVE, "on": DAY}).json
    answer = checked(FIVE)
    page = read(answer)
    assert (answer.status_code, texts(page, "#verdict")) == (200, ["✗ Not legal"])
    assert texts(page, ".finding .says") == [one["message"] for one in verdict["findings"]]
    assert texts(page, ".finding .fix") == [f"→ {one['fix']}" for one in verdict["findings"]]
    for shown, finding in zip(texts(page, ".finding .rule"), verdict["findings"], strict=True):
        assert finding["rule"]["document"] in shown
        assert finding["rule"]["section"] in shown
    assert texts(page, ".facts code") == [verdict["deck_hash"]]
    assert verdict["ruleset"]["title"] in page.css_first(".facts").text()


def test_a_list_of_the_publisher_is_linked(checked):
    page = read(checked((FILES / "optcg-banned-pair.txt").read_text("utf-8")))
    links = {node.attributes["href"] for node in page.css(".finding .rule a")}
    assert links
    assert all(link.startswith("https://") for link in links)


def test_a_name_of_several_cards_is_marked_so(checked):
    page = read(checked("1 ST21-001\n2 Nami\n", game="optcg"))
    cells = [" ".join(cell.text().split()) for cell in page.css(".sides tbody td.list + td")]
    assert cells[0] == "2 × Nami several cards"


def test_the_list_stands_beside_what_was_understood(checked):
    page = read(checked("1 ST21-001\n\n5 OP01-016 Nami\nsome 12 words\n2 OP01-9999 Nobody\n", game="optcg"))
    rows = [[" ".join(cell.text().split()) for cell in row.css("td")] for row in page.css(".sides tbody tr")]
    assert [row[0] for row in rows] == ["3", "4", "5", "1"]  # lines that need attention are first
    assert rows[0][1:] == ["5 OP01-016 Nami", "5 × OP01-016 Nami ✗ 3"]
    assert rows[1][2].startswith("not read")
    assert rows[2][2] == "2 × OP01-9999 not known"
    assert rows[3][2] == "1 × ST21-001 Monkey.D.Luffy Leader"
    assert [row.css_first("td").text() for row in page.css("details .sides tbody tr")] == ["1"]


def test_a_deck_is_charted_with_its_numbers(checked):
    page = read(checked(ZORO))
    charts = {chart.css_first("caption").text(): chart for chart in page.css("table.chart")}
    assert list(charts) == ["Cost", "Type", "Colour"]
    cards = {title: sum(int(cell.text()) for cell in chart.css(".number")) for title, chart in charts.items()}
    assert (cards["Type"], cards["Colour"]) == (50, 50)
    assert 0 < cards["Cost"] <= 50
    assert {bar.attributes["width"] for bar in page.css("rect")} >= {"100%"}


@pytest.mark.parametrize(
    ("path", "heading"),
    [("/check/when", "When and where"), ("/check/repair", "Make the deck legal with"), ("/check/write", None)],
)
def test_what_else_is_asked_comes_alone_or_with_the_verdict(checked, path, heading):
    alone, whole = checked(FIVE, HTMX, path), checked(FIVE, path=path)
    assert (alone.status_code, whole.status_code) == (200, 200)
    assert "<html" not in alone.get_data(as_text=True)
    assert texts(read(whole), "#verdict") == ["✗ Not legal"]
    assert alone.get_data(as_text=True).strip() in whole.get_data(as_text=True)
    if heading:
        assert any(one.startswith(heading) for one in texts(read(alone), "h3"))


def test_every_format_and_region_is_told(checked):
    page = read(checked((FILES / "optcg-rotated-zoro.txt").read_text("utf-8"), path="/check/when"))
    where = texts(page, ".where li")
    assert sum("Standard, North America" in one and one.startswith("✗ Not legal") for one in where) == 1
    assert sum("Extra, North America" in one and one.startswith("✓ Legal") for one in where) == 1
    assert page.css(".days li")


def test_the_fewest_changes_are_those_of_the_interface(client, checked):
    repair = client.post("/v1/repair", json={"decklist": FIVE, "on": DAY}).json
    page = read(checked(FIVE, path="/check/repair"))
    assert f"Make the deck legal with {repair['changes']} changes" in texts(page, "h3")
    assert repair["why"] in page.css_first("#repair").text()


def test_cite_the_catalogue_for_the_removal_of_an_unknown_card(client, checked):
    unknown = f"{FIVE}\n4 No Such Card"
    snapshot = client.post("/v1/validate", json={"decklist": unknown, "on": DAY}).json["catalogue"]["snapshot"]
    removal = read(checked(unknown, path="/check/repair")).css_first("#repair").text()
    assert "No Such Card" in removal
    assert "Card catalogue" in removal
    assert snapshot not in removal


def test_the_first_day_of_a_rotation_is_cited_once(checked):
    rotated = (FILES / "optcg-rotated-zoro.txt").read_text("utf-8")
    for language in ("en", "de"):
        cited = [rule for rule in texts(read(checked(rotated, path=f"/?lang={language}")), ".rule") if "block" in rule]
        assert cited
        assert {rule.count("2026") for rule in cited} == {1}


def test_a_list_is_written_as_another_program_does(checked):
    page = read(checked(ZORO, path="/check/write", to="optcgsim"))
    assert page.css_first("#written-text").text().split()[0] == "1xST21-001"
    assert page.css_first("#to option[selected]").attributes["value"] == "optcgsim"


def test_what_a_format_cannot_carry_is_told(checked):
    answer = checked((FILES / "dbs-broly.txt").read_text("utf-8"), HTMX, "/check/write", to="optcgsim")
    assert answer.status_code == 200
    assert read(answer).css_first(".fault")


def test_the_piece_of_a_page_is_what_the_page_has(checked):
    piece, page = (checked(FIVE, headers).get_data(as_text=True) for headers in (HTMX, {}))
    assert "<html" not in piece
    assert piece in page


def test_a_page_is_not_what_a_browser_goes_back_to_in_its_piece(checked):
    restored = checked(ZORO, HTMX | {"HX-History-Restore-Request": "true"})
    assert "<html" in restored.get_data(as_text=True)
    assert "HX-Request" in restored.headers["Vary"]


def test_a_query_fills_the_form_in(client):
    query = {"game": "optcg", "decklist": FIVE, "on": DAY, "format": "extra", "region": "jp", "lang": "de"}
    page = read(client.get("/", query_string=query))
    assert page.css_first("textarea").text().strip() == FIVE.strip()
    chosen = {node.attributes["name"]: node.css_first("[selected]") for node in page.css("form select")}
    assert {name: one.attributes["value"] for name, one in chosen.items() if one} == {
        "game": "optcg", "format": "extra", "region": "jp"
    }  # fmt: skip
    assert page.css_first("#on").attributes["value"] == DAY
    assert page.css_first("html").attributes["lang"] == "de"
    assert page.css_first("form").attributes["action"] == "/?lang=de#result"


def test_a_file_is_read_in_its_own_encoding(client):
    for encoding in ("utf-8", "utf-16", "cp1252"):
        file = (io.BytesIO(ZORO.encode(encoding)), "deck.txt")
        page = read(client.post("/", data={"file": file, "decklist": "", "on": DAY}))
        assert texts(page, "#verdict") == ["✓ Legal"], encoding
        assert page.css_first("textarea").text().strip() == ZORO.strip()


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"decklist": ""}, "decklist"),
        ({"decklist": " \n"}, "decklist"),
        ({"decklist": "nothing of a deck"}, "decklist"),
        ({"decklist": "4 Nobody\n3 Nothing"}, "game"),
        ({"decklist": ZORO, "game": "chess"}, "game"),
        ({"decklist": ZORO, "on": "yesterday"}, "on"),
        ({"decklist": ZORO, "format": "vintage"}, "format"),
        ({"decklist": ZORO, "region": "mars"}, "region"),
        ({"decklist": ZORO, "ruleset": "optcg-9"}, "ruleset"),
        ({"decklist": ZORO, "side_max": "many"}, "side_max"),
        ({"decklist": ZORO, "side_max": "15"}, "side_max"),
        ({"decklist": ZORO, "side_max": "9" * 5000}, "side_max"),
        ({"decklist": "4 OP01-016\n" * 30_000}, "decklist"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(client, fields, wrong):
    answer = client.post("/", data=fields)
    page = read(answer)
    assert answer.status_code == 422
    field = page.css_first(f"[name={wrong}]")
    assert field.attributes["aria-invalid"] == "true"
    said = page.css_first(f"#{field.attributes['aria-describedby'].split()[0]}").text()
    assert said
    assert texts(page, f"[data-fault={wrong}]") == [" ".join(said.split())]


def test_a_side_deck_is_allowed_where_the_rules_leave_it_open(checked):
    broly = (FILES / "dbs-broly.txt").read_text("utf-8")
    assert texts(read(checked(broly)), "#verdict") == ["✓ Legal"]
    assert texts(read(checked(broly, side_max="1")), "#verdict") == ["✗ Not legal"]


HOSTILE = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onfocus='alert(1)", "</textarea><b>out</b>",
    "{{7*7}}{% raw %}", "javascript:alert(1)", "\u202egnp.exe\u202c", "&lt;b&gt;", "${7*7}", "]]><!--",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_sent_is_shown_as_text(client, text):
    """As a name, a line, a term and a file's text; nothing of it becomes a part of the page."""
    plain = read(
        client.post(
            "/", data={"decklist": "1 ST21-001\n4 OP01-016\n2 OP01-9999 Nobody\nnot 12 a card", "game": "optcg"}
        )
    )
    for fields in (
        {"decklist": f"1 ST21-001\n4 OP01-016\n2 OP01-9999 {text}\nnot 12 {text}", "game": "optcg"},
        {"decklist": ZORO, "format": text, "region": text, "on": text, "game": text, "side_max": text},
    ):
        for path in ("/", "/check/when", "/check/repair", "/check/write"):
            answer = client.post(path, data=fields)
            page = read(answer)
            assert answer.status_code in (200, 422)
            assert len(page.css("script")) == len(plain.css("script"))
            assert not page.css("img[onerror], [onfocus], main b.out, a[href^=javascript]")
            assert "49" not in texts(page, ".sides")[:1]
            assert (page.css_first("textarea[name=decklist]").text().strip()) == fields["decklist"].strip()
    query = client.get("/", query_string={"decklist": f"4 {text}", "game": text, text: text})
    assert len(read(query).css("script")) == len(plain.css("script"))


def test_nothing_of_a_page_is_another_hosts_or_inline(client, checked):
    for answer in (
        client.get("/"),
        checked(FIVE),
        checked(FIVE, path="/check/when"),
        client.get("/nothing", headers=HTML),
    ):
        page = answer.get_data(as_text=True)
        assert not re.search(r"<style|<script>|\son[a-z]+=|\sstyle=", page)
        assert not re.findall(r'(?:src|action|formaction|hx-post)="(?![/?])', page)
        assert not re.findall(r'<link[^>]+href="(?!/)', page)
        policy = answer.headers["Content-Security-Policy"].split("; ")
        assert set(policy) == {
            "default-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"
        }  # fmt: skip
        assert "Set-Cookie" not in answer.headers


HTML = {"Accept": "text/html"}


def test_what_was_checked_is_kept_by_nobody(checked, client):
    assert checked(ZORO).headers["Cache-Control"] == "no-store"
    assert client.get("/").headers["Cache-Control"] == "no-cache"
    assert client.get("/").headers["Referrer-Policy"] == "no-referrer"


def test_the_first_page_is_small(client):
    """All of its files together, as they are sent to browsers: under 30 kB."""
    accepted = {"Accept-Encoding": "gzip"}
    page = client.get("/").get_data(as_text=True)
    files = {*re.findall(r'(?:src|href)="(/static/[^"]+)"', page)}
    assert len(files) >= 4
    sent = [client.get(path, headers=accepted).data for path in ("/", *files)]
    assert sum(map(len, sent)) < 30_000


def test_ninety_cards_make_no_large_page(client):
    cards = client.get("/v1/cards?game=optcg&type=Character&page_size=90").json["cards"]
    assert len(cards) == 90
    listed = "\n".join(["1 ST21-001", *(f"1 {card['number']} {card['name']}" for card in cards)])
    answer = client.post("/", data={"decklist": listed})
    assert len(read(answer).css(".sides tbody tr")) == len(cards) + 1
    assert len(answer.data) < 100_000


def test_a_pasted_link_is_one_line_of_many_cards(checked, client):
    link = client.post("/v1/decklists/write", json={"decklist": ZORO, "format": "egman-url"}).json["decklist"]
    page = read(checked(link))
    assert texts(page, "#verdict") == ["✓ Legal"]
    assert len(page.css(".sides tbody tr")) == 1
    assert len(page.css(".sides td:last-child > div")) == 14


def test_another_site_may_send_its_readers_here(client):
    """A "check it" button is a form of another site; it gets the page with the verdict."""
    button = urlencode({"game": "optcg", "decklist": ZORO, "on": DAY})
    answer = client.post(
        "/", data=button, content_type="application/x-www-form-urlencoded", headers={"Origin": "https://decks.example"}
    )
    assert texts(read(answer), "#verdict") == ["✓ Legal"]


@pytest.mark.parametrize(
    ("data", "leads"),
    [(b"%PDF-1.7 4 OP01-016", False), (b"\x89PNG\r\n", False), (b"PK\x03\x04", True), (bytes(100), False)],
    ids=["a PDF", "a picture", "a spreadsheet", "a program"],
)
@pytest.mark.parametrize("path", ["/", "/sheet"])
def test_a_file_that_is_no_list_is_told_for_what_it_is(client, data, leads, path):
    form = {"file": (io.BytesIO(data), "deck"), "player": "X", "as": "pdf"}
    answer = client.post(path, data=form, content_type="multipart/form-data")
    page = read(answer)
    assert answer.status_code == 422
    assert page.css_first("#file").attributes["aria-describedby"] == "file-fault"
    assert page.css_first("textarea[name=decklist]").text().strip() == ""
    assert bool(page.css("#result a[href='/workbooks']")) == (leads and path == "/")


def test_another_language_keeps_what_is_filled_in(client):
    page = read(client.post("/?lang=fr", data={"decklist": FIVE, "on": DAY}))
    (button,) = page.css("button[lang=ja]")
    assert button.attributes["form"] == page.css_first("form").attributes["id"]
    other = read(client.post(f"/{button.attributes['formaction']}", data={"decklist": FIVE, "on": DAY}))
    assert other.css_first("html").attributes["lang"] == "ja"
    assert len(other.css(".finding")) == len(page.css(".finding")) > 0
    assert other.css_first("#on").attributes["value"] == DAY
    empty = client.post(f"/{button.attributes['formaction']}", data={"decklist": ""})
    assert (empty.status_code, read(empty).css(".fault")) == (200, [])


def test_reasons_and_charts_are_in_the_language_of_the_page(client):
    english, german = (
        read(client.post(f"/?lang={lang}", data={"decklist": f"4 ???\n{ZORO}", "on": DAY})) for lang in ("en", "de")
    )
    for selector in (".sides .unread div", ".chart th"):
        assert len(texts(german, selector)) == len(texts(english, selector)) > 0
        assert texts(german, selector) != texts(english, selector)
    assert "Rot" in texts(german, ".chart th")


HOUSE_LIST = """document = "House list"
[[change]]
effective_from = 2026-01-01
region = "en"
source = "https://example.com/house-list"
"""


def test_an_own_ban_list_is_applied_and_named(checked):
    page = read(checked(ZORO, limits_list=HOUSE_LIST + 'restrict.OP01-016 = {limit = 2, name = "Nami"}'))
    assert texts(page, "#verdict") == ["✗ Not legal"]
    assert ["House list" in rule for rule in texts(page, ".finding .rule")] == [True]
    assert "House list" in texts(page, ".facts dd")
    assert page.css_first("#limits_list").text().strip().startswith("document")
    (repair,) = [
        texts(read(checked(ZORO, path="/check/repair", limits_list=HOUSE_LIST + 'ban.OP01-016 = "Nami"')), "#repair")
    ]
    assert "OP01-016" in repair[0]


def test_a_wrong_own_ban_list_has_its_message_at_its_field(checked):
    answer = checked(ZORO, limits_list="x = 1")
    assert answer.status_code == 422
    assert texts(read(answer), "#limits_list-fault") == ["the file has no changes; write each one under [[change]]."]
