"""Bounds: the limits of size and number in `api.service`, each with its reason.

Limits of the parts of a deck are in `validator/bounds.py` and `validator/deck.py`. Limits that an operator may change
are in `settings.py`. Limits of one function or one cache are in their modules.
"""

from __future__ import annotations

# Requests.
LONGEST_TEXT = 200  # characters of a number, a name or any other short text
LONGEST_LIMITS_LIST = 100_000  # characters of an organiser's limits list; the largest that ships has 30,000
LONGEST_LINE = 1_000_000  # bytes of a line of a batch; a deck of the most and longest lines has under 500,000
MOST_SIZE = 1000  # cards of a main deck; the largest of any game has 80
MOST_PINNED = 100  # cards of one deck that a repair keeps; the largest deck has 85
MOST_NAMED = 60  # cards that one wish of the odds names
MOST_DELAY = 3650  # days from the release of a card to its first legal day; ten years

# Answers.
MOST_ERRORS = 50  # of one request; a request with more has one mistake many times
MOST_SUGGESTED = 20  # unread lines of one list that get suggestions, because similar names are slow to find
MOST_SHOWN = 400  # lines of a list on the check page; the longest honest list seen has under 100

# Memory of a process.
MOST_JUDGES = 24  # each holds what it has learnt of its cards, some 10 MB at most
MOST_DAYS = 96  # Judges of other days; a timeline of today has under 30; all together have some 50 MB at most
MOST_TERMS = 1024  # terms with their rulesets, a few small values each
