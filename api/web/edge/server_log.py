"""The log of gunicorn, in the form of all other entries of the process. Used by the server."""

from __future__ import annotations

from typing import Any

from gunicorn.glogging import Logger


class ServerLog(Logger):
    """Passes gunicorn's messages to the root logger, whose handler `configure_logs` sets.

    gunicorn needs `errorlog` None beside it, else it writes every message twice.
    """

    def setup(self, cfg: Any) -> None:
        """Take the log level of gunicorn's configuration."""
        super().setup(cfg)
        self.error_log.propagate = True
