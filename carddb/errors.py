"""What can go wrong with card data: one family of errors, each a sentence for the person who asked."""


class CardDataError(ValueError):
    """Card data could not be read, stored or found; the message says why and what to do."""


class NoDatabase(CardDataError):
    """There is no database yet: nothing was ever imported."""


class DatabaseBusy(CardDataError):
    """Another program holds the database; the same call may work a moment later."""


class NoSnapshot(CardDataError):
    """No snapshot has this id."""


class FetchError(CardDataError):
    """A page could not be had; the message says which, why, and what to do."""
