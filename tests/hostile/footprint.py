"""The footprint of a server: the memory, the descriptors and the files of its processes, as the system counts them."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from tests.api.processes import wait_for

_SPARE = 4  # descriptors that a worker may open for good while it serves, such as those of its database


class Footprint:
    """The memory, descriptors and temporary files of a server's processes. `folder` is its TMPDIR."""

    def __init__(self, server, folder):
        self._pid, self._folder = server.process.pid, folder

    def processes(self):
        """Return the ids of the server's process and of all its descendants."""
        found = [self._pid]
        for pid in found:
            with suppress(OSError):  # a process that just ended
                found += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
        return found

    def memory(self):
        """Return the bytes of memory that the processes do not share, together."""
        return sum(map(_private_memory, self.processes()))

    def descriptors(self):
        """Return the number of open descriptors of all processes."""
        return sum(len(_open_files(pid)) for pid in self.processes())

    def temporary_files(self):
        """Return the temporary files: those in the folder, and open ones that are deleted already."""
        opened = {link for pid in self.processes() for link in _open_files(pid) if link.endswith(" (deleted)")}
        return {path for path in map(str, self._folder.rglob("*")) if Path(path).is_file()} | {
            link for link in opened if link.startswith(str(self._folder))
        }

    def assert_returns_to(self, files, descriptors, seconds=60):
        """Wait until there are no other temporary files and hardly more descriptors than before."""
        most = descriptors + _SPARE * len(self.processes())
        wait_for(lambda: self.temporary_files() <= files and self.descriptors() <= most, seconds)


def _private_memory(pid):
    with suppress(OSError):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) * 1024
    return 0


def _open_files(pid):
    links = []
    with suppress(OSError):
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):  # it was closed meanwhile
                links.append(os.readlink(descriptor))
    return links
