"""Open data: the rulesets, the official lists, the rotations and the sets as tables that anybody may build on."""
