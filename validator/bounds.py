"""Bounds: limits of reading, searching, answering and caching, so that no deck list takes over the machine.

The limits of the readers of deck lists are in `validator/decklists`.
"""

# Deck lists, in characters: ten times what the longest honest one needs.
LONGEST_LIST = 200_000  # a JSON of 80 cards with the addresses of their pictures
LONGEST_CELL = 10_000  # a list in a cell of a spreadsheet
LONGEST_LINE = 300  # of a list, with a count, a number, a name and a price; the longest real one has 100
LONGEST_NAME = 200  # a card's name has at most 89; a player's or an event's has remarks in brackets
MOST_MARKS = 30  # combining marks in a row; no writing system has as many on one letter
MOST_COPIES = 255  # in one line
MOST_LINES = 1000  # in one deck; the longest honest list seen has under 100
MOST_TEAM_DECKS = 10  # the largest team events have five players

# Card texts
LONGEST_SENTENCE = 1200  # letters that are parsed; the longest sentence on a card has under 500
LONGEST_QUOTED_TEXT = 300  # letters of a text that is not understood
MOST_LIST_PARTS = 12  # of one list in a sentence; the longest on a card has 8
MOST_STATEMENT_TRIES = 8  # places in a sentence where a statement is looked for in vain

# Names and suggestions
LONGEST_WORD = 40  # letters that are compared; the longest word in a card's name has 17
LONGEST_SHOWN_LINE = 200  # characters of a line that was not read
MOST_SIMILAR_CARDS = 120  # of one look-up
MOST_CARDS_OF_NAME = 100  # as many as the commonest name in a full catalogue has
MOST_OTHER_NAMES = 5  # a handful, of the hundreds that may contain a word
MOST_SUGGESTIONS = 5  # for one card
MOST_SUGGESTED_NAMES = 3  # among them, if only a name was written
MOST_CANDIDATES = 2_000  # cards of one deck that may have been meant, each for many lines

# Official lists
LONGEST_SHOWN_VALUE = 60  # characters of a wrong value in an error
MOST_PROPOSAL_FAULTS = 5  # lines that one error names
MOST_PROPOSED_CARDS = 2_000  # of all changes
MOST_PROPOSED_DOTS = 64  # in a line of a file; reading a dotted key takes time and memory quadratic in its dots
MOST_GROUPED_CARDS = 200  # cards of all groups; each of a group is a pair with each other one

# Findings of one answer
MOST_SINGLE = 60  # findings of one code; the different cards of an honest deck are fewer
MOST_CHANGED_CARDS = 2  # named in one sentence on a change

# Repairs; the largest deck has 85 cards in sections
MOST_CELLS = 120  # cards in sections among which a repair chooses what to keep
MOST_PLANNED_CELLS = 8_000  # cards in sections, over all plans of a search
FEWEST_PLANS = 20  # that are made of the largest deck
MOST_SHARES = 40  # ways to share out what two caps have in common
MOST_UNRESTRICTED_TRIED = 300  # cards that no rule chooses, to fill open places: only their copies are counted
MOST_JUDGED_TRIED = 100  # cards that some rule chooses, each of which takes a judgement
MOST_LEADERS_TRIED = 6  # under which a deck is judged for its fixes
MOST_LEADERS_NAMED = 3  # by one fix
MOST_FIX_CHECKS = 3  # judgements of the deck as it becomes
MOST_REPAIRS = 5  # of equally many changes
MOST_KEPT_IN_TURN = 12  # cards of which each is kept once to find other repairs
MOST_OFFERED_CARDS = 5  # of one kind of suggestion in a repair

# Odds: the work grows with the product of these
MOST_TURNS = 10
MOST_LOOKED_AT = 60
MOST_LIFE = 20
MOST_WISHES = 2
MOST_LEAST = 10

# What is remembered: more is forgotten and found again
MOST_LEARNT_CARDS = 100_000  # over all indexes of a Judge, some 15 MB at most
MOST_SHAPES = 4096  # sizes of sections without a finding, of a Judge
MOST_DATED_CARDS = 50_000  # whose bounds of release are kept
MOST_CALENDARS = 256
MOST_CHANCES = 1 << 14
MOST_NAMES_COMPARED = 1 << 14  # names beside cards
