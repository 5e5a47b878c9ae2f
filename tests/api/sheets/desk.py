"""A registration desk: sheets of hand-made decks, and what is read back of a file."""

from __future__ import annotations

import io
import json
import zipfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

import typst
import zxingcpp
from openpyxl import load_workbook
from PIL import Image
from pypdf import PdfReader

from api.sheets import fonts
from api.sheets.registration import Registration
from api.sheets.sheet import sheet
from tests.validator.table import Table, optcg

DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
PLAYER = {
    "player": "First Last",
    "player_id": "0012345678",
    "event": "Winter Regional 2026",
    "date": "2026-11-21",
    "place": "Cologne",
    "table": "42",
}


def drawing_position(workbook, name):
    """Return column and row of the top left cell of a drawing, counted from 0, in the bytes of a workbook."""
    with zipfile.ZipFile(io.BytesIO(workbook)) as file:
        drawing = ElementTree.fromstring(file.read(f"xl/drawings/{name}.xml"))
    start = drawing.find(f".//{DRAWING}from")
    return tuple(int(start.find(f"{DRAWING}{place}").text) for place in ("col", "row"))


def cards(count, **facts):
    """So many Characters, C-01 and on, each with a name and a cost of its own."""
    return [optcg(f"C-{n:02}", **{"cost": n % 11, **facts}) for n in range(1, count + 1)]


def filled(player=PLAYER, distinct=13, ruleset="optcg-1.1.9", special=(), main=None, format="extra", **sections):
    """The sheet of a deck of 50 cards, so many of them different; `player` and `main` say otherwise."""
    table = Table(ruleset, *cards(distinct), *special, format=format if ruleset.startswith("optcg") else "standard")
    verdict = table.verdict(fifty(distinct) if main is None else main, fill=False, **sections)
    return sheet(Registration.read({**PLAYER, **player}), verdict)


def fifty(distinct):
    """As many cards, one of each and then more of the first, up to four, until there are 50."""
    lines = {f"C-{n:02}": 1 for n in range(1, distinct + 1)}
    for number in lines:
        lines[number] += min(3, max(0, 50 - sum(lines.values())))
    return lines


def pages(pdf):
    """The text of each page of a PDF."""
    return [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]


def workbook(xlsx):
    return load_workbook(io.BytesIO(xlsx))


def has_part(xlsx, folder):
    """Whether a workbook has a part in a folder of its archive, such as a picture or a chart."""
    with zipfile.ZipFile(io.BytesIO(xlsx)) as archive:
        return any(name.startswith(folder) for name in archive.namelist())


def texts(page):
    """Every text and number of a worksheet, row by row."""
    return [[cell.value for cell in row if cell.value is not None] for row in page.iter_rows()]


def scanned(png):
    """What a camera reads of a QR code."""
    return zxingcpp.read_barcode(Image.open(io.BytesIO(png))).text


def photographed(svg, ppi=200):
    """A picture of an SVG, as it is on paper."""
    page = b'#set page(width: auto, height: auto)\n#image(bytes(json(bytes(sys.inputs.svg))), format: "svg")'
    return typst.compile(page, sys_inputs={"svg": json.dumps(svg)}, format="png", font_paths=fonts.fonts(), ppi=ppi)


def scanned_off(pdf, ppi=200):
    """What a camera reads of the QR codes on the first page of a PDF."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "paper.pdf").write_bytes(pdf)
        page = b'#set page(width: auto, height: auto, margin: 0pt)\n#image("/paper.pdf")'
        photograph = typst.compile(page, root=folder, format="png", font_paths=fonts.fonts(), ppi=ppi)
    return [code.text for code in zxingcpp.read_barcodes(Image.open(io.BytesIO(photograph)))]


def in_a_fresh_process(call):
    """What a function returns in a process that has drawn nothing yet, forked from one that has only imported it."""
    context = get_context("forkserver")
    context.set_forkserver_preload([call.__module__])
    with ProcessPoolExecutor(1, mp_context=context) as process:
        return process.submit(call).result()
