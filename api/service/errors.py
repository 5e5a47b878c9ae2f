"""Errors that commands and the HTTP interface may have to catch, of the service and of the packages above it.

    Exception
    ├── ValueError            wrong input, with advice in the message
    │   ├── Invalid           a request with wrong values, with each error and its place
    │   ├── NotJson           a text that is not JSON
    │   ├── Unusable          a file that cannot be used as input
    │   ├── Refused           a spreadsheet that is not read at all
    │   ├── SettingError      a setting in the environment
    │   └── QueueError        the queue that a setting names
    ├── BodyRefused           a request body that is too large, too slow or cut off, or there is no room for it
    ├── Busy                  too much work is waiting
    ├── Declined              an event does not allow this action now, with the reason in the message
    │   ├── NoAccess          the event does not exist, or the caller has no permission
    │   │   └── AdminNeeded   only the admin key creates events here
    │   ├── Closed            registration is not open
    │   ├── Changed           another user has changed the resource meanwhile
    │   ├── Unconditional     a change without If-Match
    │   ├── LimitReached      the maximum number is reached
    │   └── UnreadableRow     a stored row has an unexpected form
    ├── Full                  no other job or event can be accepted
    │   └── Rationed          no other event without the admin key
    ├── Halted                a process that judged a part of a batch ended too early
    ├── Gone                  a job does not belong to its worker any more
    ├── Large                 too large to be read at once
    └── WorkLimitExceeded     a piece of work exceeds its limit of time or memory

The error of click is in the commands: `api.cli.CommandError`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from api.service.bounds import MOST_ERRORS
from validator.language import phrase


class Wrong(NamedTuple):
    """One error of a request. `pointer` is the JSON pointer to its place ("": the whole body).

    `detail` is a sentence.
    """

    pointer: str
    detail: str


class Invalid(ValueError):
    """A request that is valid JSON with wrong values. `errors` has its first MOST_ERRORS (50) errors.

    The message joins the pointers and sentences of the first three. Further errors are dropped.
    """

    def __init__(self, errors: Iterable[Wrong]) -> None:
        self.errors = list(errors)[:MOST_ERRORS]
        super().__init__("; ".join(f"{wrong.pointer or 'body'}: {wrong.detail}" for wrong in self.errors[:3]))

    def __reduce__(self) -> tuple[type[Invalid], tuple[list[Wrong]]]:
        return type(self), (self.errors,)

    @property
    def detail(self) -> str:
        """A sentence about the request: the sentence of its only error, else the number of its errors.

        With MOST_ERRORS errors it is that number "or more", because further errors are dropped.
        """
        if len(self.errors) == 1:
            return self.errors[0].detail
        if len(self.errors) == MOST_ERRORS:
            return phrase("{count} things or more are wrong with this request.", count=MOST_ERRORS)
        return phrase("{count} things are wrong with this request.", count=len(self.errors))


class NotJson(ValueError):
    """Raised for a text that is not JSON. The message is a sentence with the reason."""


class Unusable(ValueError):
    """A file that cannot be used as input. The message has the reason."""


class Refused(ValueError):
    """A spreadsheet that is not read at all. The message is a sentence with the reason and advice."""


class SettingError(ValueError):
    """A setting in the environment cannot be used. The message has its name and the expected value."""


class QueueError(ValueError):
    """The job queue in Redis cannot be used. The message has the name of the queue and the reason."""


class BodyRefused(Exception):
    """A request body that is too large, too slow or cut off, or for which there is no room.

    The HTTP `status` and the sentence `detail` are sent to the client if it is still connected.
    """

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


class Busy(Exception):
    """Raised if too much work is waiting, or if no process for it can be started. A later call may succeed."""


class Full(Exception):
    """No other job or event can be accepted now. The message has the reason. A later call may succeed."""


class Rationed(Full):
    """No other event can be created without the admin key, because such events have reached their maximum.

    A client with the admin key may still create one.
    """


class Halted(Exception):
    """A worker process ended, by a signal or for lack of memory, while it judged a part of a batch.

    As a string it is a fixed sentence with advice.
    """

    def __str__(self) -> str:
        return (
            "A process that judged a part of the decks has ended, by somebody's hand or for want of memory. What is "
            "written are whole verdicts from the first deck on, without a gap. Begin anew, maybe with fewer --jobs."
        )


class Gone(Exception):
    """Raised if a job does not belong to its worker any more: it was cancelled, or given to another worker."""


class Large(Exception):
    """A spreadsheet is too large to be read and answered within one request."""


class WorkLimitExceeded(Exception):
    """A piece of work exceeds its limit of time or memory."""


class Declined(Exception):
    """An event does not allow this action now. The message has the reason.

    `status` is the HTTP status of the answer: 409, or another one in subclasses.
    """

    status = 409


class NoAccess(Declined):
    """HTTP 404: the event or a part of it does not exist, or the caller has no permission.

    The message is the same in all these cases, so that it does not reveal which events exist.
    """

    status = 404

    def __init__(self) -> None:
        super().__init__(
            phrase(
                "There is no such event, or nothing of it that this key may see or do. Without a key, less is shown."
            )
        )


class AdminNeeded(NoAccess):
    """HTTP 404 with its own message: creating an event needs the admin key, and the request does not have it."""

    def __init__(self) -> None:
        Declined.__init__(
            self, phrase("Creating an event here needs the admin key. Send it as `Authorization: Bearer KEY`.")
        )


class Closed(Declined):
    """HTTP 403: registration is not open for this caller at this moment."""

    status = 403


class Changed(Declined):
    """HTTP 412: another user has changed the resource meanwhile, so nothing was written. The message is fixed."""

    status = 412

    def __init__(self) -> None:
        super().__init__(
            phrase("This was changed meanwhile, and your change was not written. Get it again, then send again.")
        )


class Unconditional(Declined):
    """HTTP 428: a change was sent without If-Match, so that the changed version is not known. The message is fixed."""

    status = 428

    def __init__(self) -> None:
        super().__init__(phrase("Send the ETag that you got as If-Match, so that no other change is lost."))


class LimitReached(Declined):
    """HTTP 409: an event already has the maximum number of something, which the message of the raiser names."""


class UnreadableRow(Declined):
    """HTTP 409: a stored row of an event has an unexpected form. Nothing was changed.

    Such a row may come from another version of deckproof, or from a change of the database by hand.
    """

    def __init__(self, table: str, id: str, reason: str) -> None:
        """Make the message with the name of the table, the id of the row, and the reason of the decoder."""
        super().__init__(
            phrase(
                "Stored data of this event cannot be read ({table} {id}: {reason}). Nothing was changed. Ask the "
                "operator of the server to compare the row with a backup.",
                table=table,
                id=id,
                reason=reason,
            )
        )
