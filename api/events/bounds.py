"""Bounds of events: how many and how large, each with its reason. Every module of `api.events` takes them from here.

A bound protects the others at an event, and the server, from one who sends too much.
"""

from __future__ import annotations

from datetime import timedelta

# An event
MOST_AHEAD = timedelta(days=731)  # of an event's day: two years, with a leap day; a later day is a slip
MOST_DAYS_KEPT = 3650  # ten years; nobody needs a player's name for longer
MOST_STRANGERS_DAYS = 365  # for which a stranger's event is kept: nobody answers for its data
MOST_KEYS = 200  # of those who run one event, revoked ones too: each is a row of the page of keys
LONGEST_KEY = 200  # characters that are looked at; a key has 43, and an admin chooses one of any length
LONGEST_JOIN_CODE = 40  # characters of a typed code; the longest has 17
MOST_NOTED = 500_000  # entries of the audit of one event, which is read as a whole to show that it is intact

# Registrations
MOST_ENTRANTS = 5_000  # of one event, whose lists are held in memory together
MOST_BYTES = 200_000_000  # of all revisions of all lists of one event; strangers have less room
MOST_REVISIONS = 100  # of one registration; they are shown together
LONGEST_EMAIL = 254  # characters (RFC 5321, 4.5.3.1)
MOST_STREAMED = 8  # players at a table; there are teams
MOST_IMPORTS = 20  # in the history of one event; the oldest are forgotten

# Duplicates: few are compared, so that nobody makes an event slow by many registrations of one name
MOST_NAMESAKES = 50  # registrations that may be duplicates of one
MOST_DUPLICATES = 20  # of one registration that an answer has
MOST_PAIRS = 100  # in one answer
MOST_DISTINCT = 50  # registrations that one is kept apart from

# Deck checks
MOST_CHECKS = 10_000  # of one event
MOST_CHECKS_OF_PLAYER = 100  # each of which names the penalties before it
MOST_CHECK_CHANGES = 200  # of one check
LONGEST_REASON = 500  # characters of why somebody changed something; two or three sentences
LONGEST_SEED = 100  # characters; a seed is read aloud and printed
LONGEST_SHEET_CODE = 500  # characters; a sheet has the address of its deck check
MOST_TABLE_FINDINGS = 10  # of one list, on a judge's phone

# Requests and answers
SHORTEST_ONCE = 16  # characters of an Idempotency-Key: with a shorter one strangers might take the same
LONGEST_ONCE = 200
MOST_KEPT = 20_000_000  # bytes of the answers of one event that are kept for requests that come again
MOST_ENTRIES = 10_000  # of an audit in one answer
LONGEST_LINES = 20_000  # characters of a proposed ban list that is typed
LONGEST_FILE = 100_000  # bytes of one that is a file

# Storage
MOST_IDS = 500  # in one SQL statement; databases bound its parameters

# Files
LARGEST_ARCHIVE = 500_000_000  # bytes
LARGEST_COMMITMENTS = 40_000_000  # bytes of a file; MOST_ENTRANTS lists have a tenth of them
