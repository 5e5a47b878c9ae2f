"""`deckproof webhooks`: where every change of lists, editions, rotations, sets and catalogues is told."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import click

from api.cli import ILLEGAL, CommandError, options
from api.open_data.change_record import CHANGE_KINDS

if TYPE_CHECKING:
    from api.webhooks.webhook_store import Webhook, Webhooks


@click.group()
def command() -> None:
    """Have changes told to addresses of yours.

    Every change of lists, editions, rotations, sets and catalogues is told, signed. A worker tells them (`deckproof
    serve` runs one). Whoever does not answer is tried again for three days.
    """


def _store() -> Webhooks:
    from api.webhooks.webhook_store import Webhooks

    return Webhooks(options.library().store().database)


def _named(store: Webhooks, id: str) -> Webhook:
    for one in store.listed():
        if one.id == id:
            return one
    raise CommandError(f"There is no webhook {id}; `deckproof webhooks list` lists them.")


@command.command()
@click.argument("url", metavar="URL")
@click.option(
    "--game", "games", multiple=True, type=options.a_game(), metavar="GAME", help="Of this game alone; again for more."
)
@click.option(
    "--what", "kinds", multiple=True, type=click.Choice(CHANGE_KINDS), help="Of this kind alone; again for more."
)
@click.option("--since", type=options.DayParam(), metavar="DATE", help="What is new since a day.  [default: today]")
def add(url: str, games: tuple[str, ...], kinds: tuple[str, ...], since: date | None) -> None:
    """Have changes told to a URL.

    The secret that they are signed with is printed, this one time. The URL is told every entry that `GET /v1/changes`
    has, or gets, of that day or later, once.
    """
    from api.service.settings import Settings
    from api.webhooks.receiver import Receiver
    from api.webhooks.webhook_secrets import WebhookSecrets

    settings = Settings.from_environment()
    Receiver(url, settings.webhook_networks)
    secrets = WebhookSecrets(settings)
    made = _store().add(url, secrets.fingerprint, since or datetime.now(UTC).date(), games, kinds)
    click.echo(f"Webhook  {made.id}\nSecret   {secrets.shown(made.id)}")
    click.echo("Keep the secret: it is not shown again.", err=True)


@command.command("list")
@options.JSON
def list_webhooks(as_json: bool) -> None:
    """List the webhooks, and how each is doing."""
    from api.cli import console

    store = _store()
    found = [(one, len(store.told(one))) for one in store.listed()]
    if as_json:
        options.write_json([one.as_dict() | {"told": told} for one, told in found])
        return
    rows = ((one.id, one.url, _of(one), one.since, told, one.state) for one, told in found)
    console.table(("Webhook", "URL", "Of", "Since", "Told", "State"), rows)


def _of(webhook: Webhook) -> str:
    return ", ".join((*webhook.games, *webhook.kinds)) or "all"


@command.command()
@click.argument("id", metavar="ID")
def remove(id: str) -> None:
    """Tell a webhook nothing any more, and forget it."""
    if not _store().remove(id):
        raise CommandError(f"There is no webhook {id}; `deckproof webhooks list` lists them.")
    click.echo(f"Webhook {id} was removed.")


@command.command()
@click.argument("id", metavar="ID")
def test(id: str) -> None:
    """Send a webhook a message to try it.

    It says that nothing has changed; if it arrives, a webhook that has failed or ended goes on.
    """
    from api.service.errors import Undelivered
    from api.service.settings import Settings
    from api.webhooks import deliverer

    database = options.library().store().database
    webhook = _named(_store(), id)
    try:
        deliverer(Settings.from_environment(), database).test(webhook)
    except Undelivered as error:
        raise CommandError(f"{webhook.url} did not take the message: {error}.") from None
    click.echo(f"{webhook.url} has taken the message.")


@command.command()
@click.pass_context
def deliver(context: click.Context) -> None:
    """Tell what is due now, as a worker does.

    Ends with 1 if somebody could not be told.
    """
    from api.service.settings import Settings
    from api.webhooks import deliver

    reports = deliver(Settings.from_environment(), options.library())
    for one in reports:
        click.echo(f"{one}.")
    if any(one.problem for one in reports):
        context.exit(ILLEGAL)
