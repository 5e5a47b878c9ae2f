"""carddb knows the cards: their sources, their snapshots in a database, and the catalogues of these."""

from carddb.catalogue import Catalogue
from carddb.errors import CardDataError, DatabaseBusy, NoDatabase, NoSnapshot
from carddb.library import Library

DISTRIBUTION = "deckproof"
__all__ = ["CardDataError", "Catalogue", "DatabaseBusy", "Library", "NoDatabase", "NoSnapshot"]
