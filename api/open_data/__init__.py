"""Open data: the rulesets, the official lists, the rotations and the sets as tables that anybody may build on."""

from __future__ import annotations

from collections.abc import Mapping

from api.open_data import list_tables, ruleset_tables
from api.open_data.data_table import DataTable

TABLES: Mapping[str, DataTable] = {
    table.name: table
    for table in (
        DataTable("rulesets", ruleset_tables.rulesets_rows),
        DataTable("rules", ruleset_tables.rules_rows),
        DataTable("limits", list_tables.limits_rows),
        DataTable("rotations", list_tables.rotations_rows),
        DataTable("blocks", list_tables.blocks_rows),
        DataTable("sets", list_tables.sets_rows),
    )
}
