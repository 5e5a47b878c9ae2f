"""QR codes: what was put in is what a camera reads."""

import re

import zxingcpp
from hypothesis import given
from hypothesis import settings
from hypothesis import strategies as st

from api.sheets import codes
from tests.api.sheets.desk import scanned

HASHES = st.text("0123456789abcdef", min_size=32, max_size=32)


@settings(max_examples=20, deadline=None)
@given(HASHES)
def test_a_picture_can_be_scanned(text):
    assert scanned(codes.png(text)) == text


@settings(max_examples=20, deadline=None)
@given(HASHES)
def test_a_path_can_be_scanned(text):
    side, path = codes.path(text)
    across = 4 * (side + 8)
    assert zxingcpp.read_barcode(memoryview(_drawn(side, path)).cast("B", (across, across))).text == text


def _drawn(side, path):
    """Draw a path of horizontal strokes, four pixels a module, in a margin of four modules."""
    modules = [[255] * (side + 8) for _ in range(side + 8)]
    for row in path.split("M")[1:]:
        x, y = 4, 4 + int(float(re.match(r"0 ([0-9.]+)", row)[1]))
        for step, length in re.findall(r"([mh])([0-9]+)", row):
            if step == "h":
                modules[y][x : x + int(length)] = [0] * int(length)
            x += int(length)
    return b"".join(bytes([shade for shade in row for _ in range(4)]) * 4 for row in modules)
