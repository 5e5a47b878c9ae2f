"""Bounds: every limit of size, number and time in `carddb`, each with its reason.

Files, pages and programs from outside keep within these bounds, or are refused in a sentence that names the bound.
Parameters of one algorithm, such as the number of typos in a name, are in the module of that algorithm.
"""

from __future__ import annotations

# Spreadsheets (carddb.files). A real sheet of 1,028 decks has 20,008 rows; it is 0.7 MB packed and 8 MB unpacked.
MOST_ROWS = 100_000
MOST_COLUMNS = 200  # 60 cards in one row, each with number and count, are 120
MOST_SHEETS = 2_000  # of a workbook with a sheet per player
MOST_PARTS = 2_000  # of an archive; a workbook with a sheet for each of 257 players has 265
MOST_CELLS = 4_000_000  # of the rectangle that contains all cells of a sheet, because calamine allocates all of it
MOST_TEXT = 32_000_000  # characters, each shared text counted for each use; the largest CSV file has no more
MOST_ODD = 10_000  # cells that are errors or were never computed: each is kept with its place
MOST_DEPTH = 200  # XML elements within each other; a sheet has ten, a page of text a few more
LARGEST_PART = 64 << 20  # bytes of one unpacked part of an archive, which is held in memory
LARGEST_WORKBOOK = 128 << 20  # bytes of all unpacked parts, which are held in memory together
HIGHEST_RATIO = 120  # unpacked to packed size, above which an archive is taken for a zip bomb; real sheets are under 40
FREELY_UNPACKED = 8 << 20  # bytes; no ratio is suspicious below this size

# Several files together (carddb.files.packed_files, carddb.sources.saved).
MOST_FILES = 2_000  # of a zip, a folder or a .tar.gz: a list for each player, or a page for each set
LARGEST_FOLDER = 32 << 20  # bytes of lists and spreadsheets as a zip: as many as one spreadsheet may have
LARGEST_SAVED_PAGES = 256 << 20  # bytes of a .tar.gz of pages, unpacked in memory

# Card lists (carddb.sources).
LARGEST_CARD_FILE = 64 << 20  # bytes; the largest real list has 3 MB
LONGEST_CARD_TEXT = 20_000  # characters of a cell; the longest real skill text has under 1,000

# List files (carddb.list_files).
LARGEST_LIST_FILE = 1 << 20  # bytes; the largest that ships has 30,000
MOST_LIST_FILES = 100  # of a folder, or added to the lists of one game

# Fetching (carddb.sync).
LARGEST_PAGE = 16 << 20  # bytes, unpacked; the largest real page has 1 MB
MOST_REDIRECTS = 5  # of a page; more are a circle
MOST_PACKS = 1_000  # that a site lists, because each is a page to fetch after a pause
MOST_SYNC_TRIES = 3  # a night, so that a site that is down is left alone
LONGEST_SYNC_ERROR = 2_000  # characters of an error in the log of syncs

# The database (carddb.database and what it uses).
DATABASE_TIMEOUT = 5.0  # seconds to wait for a database that another program holds
MOST_CONNECTIONS = 16  # of a process; PostgreSQL has 100 for all
MOST_IDLE_CONNECTIONS = 4  # of a process
MOST_WRITERS = 8  # at the same time in PostgreSQL, so that connections are left to readers
MOST_WAITING = 8  # threads at a queue of writers that does not move: each is one that answers nobody
STALLED_AFTER = 1.0  # seconds without a new transaction, after which a queue of writers does not move
STATEMENT_TIMEOUT = 60  # seconds of one statement in PostgreSQL; a migration has none
PING_TIMEOUT = 1.0  # seconds in which a PostgreSQL server that is up answers
CHECKPOINT_TIMEOUT = 0.2  # seconds in which readers may finish
BACKUP_TIMEOUT = 1.0  # seconds that a backup waits for a database that another program holds
MOST_UPGRADE_COPIES = 2  # copies that are kept from before upgrades, each as large as the database

# Catalogues in memory (carddb.library, carddb.catalogue).
MOST_NAMED_CATALOGUES = 2  # of snapshots that were asked for by id; a full catalogue takes about 10 MB
LONGEST_QUERY = 100  # characters; the longest card name has 89
