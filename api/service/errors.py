"""Errors: what the commands and the interface may have to catch, of the service and of the rooms above it.

    Exception
    ├── ValueError            what somebody gave is wrong; the message says what to do
    │   ├── Invalid           a request that cannot be meant, with all that is Wrong with it and where
    │   ├── NotJson           a text that is not JSON
    │   ├── Unusable          a file that holds no deck
    │   ├── Refused           a spreadsheet that is not read at all
    │   ├── SettingError      a setting in the environment
    │   └── QueueError        the queue that a setting names
    ├── BodyRefused           a request body that is too large, too slow or cut off, or for which there is no room
    ├── Busy                  too much work waits already
    ├── Declined              an event does not let somebody do something now; the message says why
    │   ├── NoAccess          the event is not there, or the caller has no permission
    │   │   └── AdminNeeded   only the admin key creates events here
    │   ├── Closed            registration is not open
    │   ├── Changed           somebody else has changed it meanwhile
    │   ├── Unconditional     a change that does not say what it changes
    │   └── LimitReached      there is room for no more
    ├── Full                  no other job or event can be taken in
    │   └── Rationed          no other event of strangers, while there is room for those of the admin
    ├── Halted                a process that judged a part of a batch ended before it was done
    ├── Gone                  a job is no longer its worker's
    ├── Large                 too large to be read at once
    └── WorkLimitExceeded     more time or memory than a piece of work may take

click's own stays with the commands: `api.cli.CommandError`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from api.service.bounds import MOST_ERRORS


class Wrong(NamedTuple):
    """One thing wrong with a request: where (a JSON pointer into the body) and what."""

    pointer: str
    detail: str


class Invalid(ValueError):
    """A request that can be read and cannot be meant; carries everything wrong with it."""

    def __init__(self, errors: Iterable[Wrong]) -> None:
        self.errors = list(errors)[:MOST_ERRORS]
        super().__init__("; ".join(f"{one.pointer or 'body'}: {one.detail}" for one in self.errors[:3]))

    def __reduce__(self) -> tuple[type[Invalid], tuple[list[Wrong]]]:
        return type(self), (self.errors,)

    @property
    def detail(self) -> str:
        """A sentence on the whole."""
        if len(self.errors) == 1:
            return self.errors[0].detail
        several = f"{MOST_ERRORS} things or more" if len(self.errors) == MOST_ERRORS else f"{len(self.errors)} things"
        return f"{several} are wrong with this request."


class NotJson(ValueError):
    """A text that is not JSON."""


class Unusable(ValueError):
    """A file that holds no deck; the message says why."""


class Refused(ValueError):
    """A file that is not read at all; the message is a sentence that says why and what to do."""


class SettingError(ValueError):
    """A setting in the environment cannot be used; the message names it and says what to write."""


class QueueError(ValueError):
    """The queue cannot be used; the message says which, and why."""


class BodyRefused(Exception):
    """A request body that is not taken; `status` and `detail` are what its sender is told, if it is still there."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


class Busy(Exception):
    """Too much work waits already; a moment later there may be room."""


class Full(Exception):
    """No other job can be taken in right now; the message says why, and a later call may succeed."""


class Rationed(Full):
    """Strangers have created as many events as they may; the admin may create more."""


class Halted(Exception):
    """A process that judged a part of a batch ended before it was done."""

    def __str__(self) -> str:
        return (
            "A process that judged a part of the decks has ended, by somebody's hand or for want of memory. What is "
            "written are whole verdicts from the first deck on, without a gap. Begin anew, maybe with fewer --jobs."
        )


class Gone(Exception):
    """A job is no longer its worker's: somebody cancelled it, or it was given to another."""


class Large(Exception):
    """A spreadsheet holds more than there is room for."""


class WorkLimitExceeded(Exception):
    """A piece of work takes more time or memory than it may."""


class Declined(Exception):
    """An event does not let somebody do something now; `status` is the problem that this is."""

    status = 409


class NoAccess(Declined):
    """There is no such event or part of it, or the caller has no permission: both look the same."""

    status = 404

    def __init__(self) -> None:
        super().__init__("There is no such event, or nothing of it that this key may see or do; no key may do less.")


class AdminNeeded(NoAccess):
    """Only the admin key creates events here, and it was not sent."""

    def __init__(self) -> None:
        Declined.__init__(self, "Creating an event here needs the admin key. Send it as `Authorization: Bearer KEY`.")


class Closed(Declined):
    """Registration is not open, for whoever asks and at this moment."""

    status = 403


class Changed(Declined):
    """Somebody else has changed it meanwhile; nothing was written."""

    status = 412

    def __init__(self) -> None:
        super().__init__("This was changed meanwhile, and nothing of yours was written: get it anew, then send again.")


class Unconditional(Declined):
    """A change that does not say of which state it is one."""

    status = 428

    def __init__(self) -> None:
        super().__init__("Send the ETag that you got as If-Match, so that nobody else's change is lost.")


class LimitReached(Declined):
    """An event has as many of something as it may have."""
