"""QR codes: what was put in is what a camera reads."""

import re

import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from api.sheets import qrcode
from tests.api.sheets.desk import scanned

HASHES = st.text("0123456789abcdef", min_size=32, max_size=32)


@settings(max_examples=20, deadline=None)
@given(HASHES)
def test_a_picture_can_be_scanned(text):
    assert scanned(qrcode.png(text)) == text


@settings(max_examples=20, deadline=None)
@given(HASHES)
def test_a_path_can_be_scanned(text):
    assert zxingcpp.read_barcode(drawn(*qrcode.path(text))).text == text


def drawn(side, path):
    """A path of horizontal strokes as a printer draws it, four pixels a module, in a margin of four modules."""
    paper = Image.new("L", (4 * (side + 8), 4 * (side + 8)), 255)
    for x, y, length in re.findall(r"M([0-9]+) ([0-9]+)\.5h([0-9]+)", path):
        left, top = 4 * (int(x) + 4), 4 * (int(y) + 4)
        ImageDraw.Draw(paper).rectangle((left, top, left + 4 * int(length) - 1, top + 3), fill=0)
    return paper
