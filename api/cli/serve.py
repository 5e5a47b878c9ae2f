"""`deckproof serve`: the pages and the interface over HTTP."""

from __future__ import annotations

import secrets
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click
from click.core import ParameterSource

from api.cli import CommandError

if TYPE_CHECKING:
    from api.service.settings import Settings

_EVERY_ADDRESS = "0.0.0.0"
_PLAIN = """\
These addresses are plain http: whoever is on the network can read what is sent, keys too. Let nobody on it but those
who are in the hall. A page that is open goes on when the wifi is gone, and none can be opened then: leave them open.
"""


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 is every address.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes; default: DECKPROOF_WORKERS.")
@click.option("--open", "opened", is_flag=True, help="Show the pages in the browser.")
@click.option("--hall", is_flag=True, help="Serve the local network, where only who has the printed key begins events.")
@click.pass_context
def command(context: click.Context, port: int, host: str, workers: int | None, opened: bool, hall: bool) -> None:
    """Serve the pages and the interface over HTTP.

    The pages are at /, the documentation of the interface at /docs. Ends in good order on SIGTERM and SIGINT: what is
    being answered is answered.
    """
    from api.service.logs import configure_logs
    from api.service.settings import Settings
    from api.web.edge import server

    settings, around = Settings.from_environment(), []
    if hall:
        if context.get_parameter_source("host") is ParameterSource.COMMANDLINE:
            raise click.UsageError("--hall serves the local network; leave out --host.")
        settings, around, host = _alone(settings), _around(), _EVERY_ADDRESS

    def ready(address: str) -> None:
        click.echo(f"Check decks at {address}")
        if hall:
            _show_way([f"http://{one}:{urlsplit(address).port}/" for one in around], settings.admin_key)
        if opened:
            _show(address)

    configure_logs(settings)
    server.run(settings, host, port, workers or 0, ready)


def _alone(settings: Settings) -> Settings:
    """Return the settings of a server that stands in a hall, with nothing in front of it and a key for its admin."""
    if settings.trusted_proxies:
        raise click.UsageError("--hall serves the network without a proxy; unset DECKPROOF_TRUSTED_PROXIES.")
    return replace(settings, admin_key=settings.admin_key or secrets.token_urlsafe(12))


def _around() -> list[str]:
    from api.service.local_network import addresses

    if found := addresses():
        return found
    raise CommandError("This machine is in no local network; join the wifi of the hall, or make one, and start again.")


def _show_way(places: Iterable[str], admin_key: str) -> None:
    """Print where the hall finds the server, as a code too, and what begins an event."""
    from api.sheets import qrcode

    first, *others = places
    click.echo(f"In the hall: {first}\n")
    click.secho(qrcode.text(first), fg="black", bg="bright_white")
    for other in others:
        click.echo(f"Also: {other}")
    click.echo(f"\nThe admin's key, which begins events: {admin_key}\n\n{_PLAIN}")


def _show(address: str) -> None:
    """Open an address in the browser, by a process of its own: the server is about to fork, and has no threads."""
    subprocess.Popen([sys.executable, "-m", "webbrowser", address], stdout=subprocess.DEVNULL)
