"""api speaks: over HTTP and on the command line, on sheets and in workbooks."""

DISTRIBUTION = "deckproof"
