"""XLSX files made part by part, as no spreadsheet program would."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"

TYPES = (
    f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_SHEET_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_SHEET_TYPE}.worksheet+xml"/>'
    "</Types>"
)
ROOT = (
    f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
)
LINKS = (
    f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{_OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>'
)
BOOK = f'<workbook {MAIN} xmlns:r="{_OFFICE}"><sheets><sheet name="Decks" sheetId="1" r:id="rId1"/></sheets></workbook>'


def sheet(rows: str, head: str = "") -> str:
    """The XML of a sheet with these rows."""
    return f"{head}<worksheet {MAIN}><sheetData>{rows}</sheetData></worksheet>"


def texts(*values: str) -> str:
    """The XML of shared texts."""
    return f"<sst {MAIN}>{''.join(f'<si><t>{value}</t></si>' for value in values)}</sst>"


def raw_xlsx(sheet_xml: str | bytes, shared: str = texts("one"), **more: str | bytes) -> bytes:
    """Return an XLSX file of one sheet.

    `more` replaces or adds parts by name. A double underscore in a name means a slash.
    """
    parts: Mapping[str, str | bytes] = {
        "[Content_Types].xml": TYPES,
        "_rels/.rels": ROOT,
        "xl/workbook.xml": BOOK,
        "xl/_rels/workbook.xml.rels": LINKS,
        "xl/sharedStrings.xml": shared,
        "xl/worksheets/sheet1.xml": sheet_xml,
        **{name.replace("__", "/"): part for name, part in more.items()},
    }
    return pack_parts(parts)


def pack_parts(parts: Mapping[str, str | bytes]) -> bytes:
    """Return a zip archive of these parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return out.getvalue()
