"""`deckproof serve`: the interface over HTTP."""

from __future__ import annotations

import click


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 is every address.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes; default: DECKPROOF_WORKERS.")
def command(port: int, host: str, workers: int | None) -> None:
    """Serve the interface over HTTP.

    Its documentation is at /docs. Ends in good order on SIGTERM and SIGINT: what is being answered is answered.
    """
    from api.service import logs
    from api.service.settings import Settings
    from api.web import server

    logs.begin()
    server.run(Settings.from_environment(), host, port, workers or 0)
