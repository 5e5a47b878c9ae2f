"""`deckproof serve`: the pages and the interface over HTTP."""

from __future__ import annotations

import subprocess
import sys

import click


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 is every address.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes; default: DECKPROOF_WORKERS.")
@click.option("--open", "opened", is_flag=True, help="Show the pages in the browser.")
def command(port: int, host: str, workers: int | None, opened: bool) -> None:
    """Serve the pages and the interface over HTTP.

    The pages are at /, the documentation of the interface at /docs. Ends in good order on SIGTERM and SIGINT: what is
    being answered is answered.
    """
    from api.service import logs
    from api.service.settings import Settings
    from api.web import server

    def ready(address: str) -> None:
        click.echo(f"Check decks at {address}")
        if opened:
            _show(address)

    logs.begin()
    server.run(Settings.from_environment(), host, port, workers or 0, ready)


def _show(address: str) -> None:
    """Open an address in the browser, by a process of its own: the server is about to fork, and has no threads."""
    subprocess.Popen([sys.executable, "-m", "webbrowser", address], stdout=subprocess.DEVNULL)
