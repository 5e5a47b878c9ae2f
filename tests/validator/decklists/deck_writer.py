"""Lists in every shape that players and programs write: `write_list` chooses one and says which copies it lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from tests.validator.decklists import json_writer, line_writer, table_writer
from tests.validator.decklists.written_lists import WrittenList

SHAPES: Mapping[str, Callable[[Random, str], WrittenList]] = {
    "headed": line_writer.write_headed,
    "plain": line_writer.write_plain,
    "copies": line_writer.write_copies,
    "one-line": line_writer.write_one_line,
    "side-by-side": line_writer.write_side_by_side,
    "totalled": line_writer.write_totalled,
    "aside": line_writer.write_with_aside,
    "several": line_writer.write_several,
    "table": table_writer.write_table,
    "count-columns": table_writer.write_count_columns,
    "section-columns": table_writer.write_section_columns,
    "json-sections": json_writer.write_json_sections,
    "json-list": json_writer.write_json_list,
    "json-plain": json_writer.write_json_plain,
    "json-counts": json_writer.write_json_counts,
    "json-several": json_writer.write_json_several,
}


def write_list(seed: int, shape: str, game: str) -> WrittenList:
    """Return the list that a seed draws: the same for the same arguments."""
    return SHAPES[shape](Random(f"{seed} {shape} {game}"), game)
