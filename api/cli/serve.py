"""`deckproof serve`, `worker`, `mcp` and `settings`: programs that run until they are stopped, and settings."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from api.cli import CommandError, console, options
from validator.language import Language, join_phrases, phrase

if TYPE_CHECKING:
    from api.service.local_network import HallAddresses
    from api.service.settings import Settings
    from api.web.edge.server import HallNetwork

_EVERY_ADDRESS = "0.0.0.0"
_SECURE_PORT = 8443
_PLAIN = phrase(
    "The http addresses are not encrypted: anyone on the network can read what is sent there, keys too. Let only the "
    "people\nin the hall join the network. Without https, a page that is open works offline, but no page can be "
    "reopened offline."
)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 is every address.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes; default: DECKPROOF_WORKERS.")
@click.option("--open", "opened", is_flag=True, help="Show the pages in the browser.")
@click.option("--hall", is_flag=True, help="Serve the local network; creating events needs the admin key.")
@click.option(
    "--tls/--no-tls", default=None, help="Serve https too, with a certificate of this server; default: --hall."
)
@click.option("--tls-port", type=click.IntRange(0, 65535), help="The port for https; default: 8443.")
@click.option("--certificate", type=_FILE, help="Serve https with a PEM certificate of your own; needs --key.")
@click.option("--key", type=_FILE, help="The PEM key of --certificate.")
@options.LANG
@click.pass_context
def serve_command(
    context: click.Context,
    port: int,
    host: str,
    workers: int | None,
    opened: bool,
    hall: bool,
    tls: bool | None,
    tls_port: int | None,
    certificate: Path | None,
    key: Path | None,
    translate: Language,
) -> None:
    """Serve the pages and the interface over HTTP.

    The pages are at /, the documentation of the interface at /docs. If other machines reach the server, creating an
    event needs the admin key: DECKPROOF_ADMIN_KEY, or the key in the data folder, which this command shows. SIGTERM and
    SIGINT end the server after the current answers.

    \b
    deckproof serve --port 8000
    deckproof serve --hall
    """
    from api.service.effective_settings import log_unknown_variables
    from api.service.logs import configure_logs
    from api.service.secret_key import admin_key
    from api.service.settings import Settings
    from api.web.edge import server

    _check_tls(hall, tls, certificate, key)
    if hall:  # the log of each request would push the printed key and code away; a worker process reads this too
        os.environ.setdefault("DECKPROOF_LOG_LEVEL", "warning")
    settings = Settings.from_environment()
    if hall:
        if context.get_parameter_source("host") is ParameterSource.COMMANDLINE:
            raise click.UsageError(phrase("--hall serves the local network; leave out --host."))
        _check_no_proxy(settings)
        host = _EVERY_ADDRESS
    is_kept_key = not settings.admin_key and _is_reached(host, settings)
    if is_kept_key:
        settings = replace(settings, admin_key=admin_key(settings.data_dir))
    network = _hall_network(settings, host, hall, tls, certificate, key)

    def ready(address: str, found: HallAddresses | None) -> None:
        """Print the addresses and keys when the server is ready, and open a browser if requested.

        `address` is that on this machine. `found` are the addresses in the local network, None if there are none. They
        are only printed with --hall. The admin key is printed if it is from the data folder.
        """
        if hall and found:
            _show_hall(found, address, translate)
        else:
            click.echo(translate("Check decks at {address}", address=address))
        if is_kept_key:
            _show_key(settings, translate)
        if hall:
            click.echo(f"\n{translate.text(_PLAIN)}\n")
        if opened:
            _open_in_browser(address)

    configure_logs(settings)
    log_unknown_variables()
    server.run(settings, host, port, workers or 0, ready, network._replace(secure_port=_secure_port(port, tls_port)))


def _secure_port(port: int, tls_port: int | None) -> int:
    """Return the port for https: --tls-port, else 8443. Without --tls-port it is 0 (a free one) if `port` is 0."""
    return tls_port if tls_port is not None else (_SECURE_PORT if port else 0)


def _check_tls(hall: bool, tls: bool | None, certificate: Path | None, key: Path | None) -> None:
    """Raise UsageError if the options for https contradict each other, or if one lacks the option that it needs.

    `tls` is None if neither --tls nor --no-tls is given. No file is read.
    """
    if (certificate is None) != (key is None):
        raise click.UsageError(phrase("--certificate and --key belong together; give both."))
    if certificate and tls is False:
        raise click.UsageError(phrase("--certificate serves https; leave out --no-tls."))
    if tls and not hall and not certificate:
        raise click.UsageError(phrase("--tls needs --hall, or --certificate and --key."))


def _check_no_proxy(settings: Settings) -> None:
    """Raise UsageError if the settings have trusted proxies, because --hall serves the network without a proxy."""
    if settings.trusted_proxies:
        raise click.UsageError(phrase("--hall serves the network without a proxy; unset DECKPROOF_TRUSTED_PROXIES."))


def _is_reached(host: str, settings: Settings) -> bool:
    """Return True unless `host` is a loopback address or "localhost". Then other machines can reach a server there.

    Return True for any host if the settings have trusted proxies. No name is looked up.
    """
    if settings.trusted_proxies:
        return True
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"


def _hall_network(
    settings: Settings, host: str, hall: bool, tls: bool | None, certificate: Path | None, key: Path | None
) -> HallNetwork:
    """Return this machine's addresses and the files of the https certificate, for the server.

    There are addresses only if the host is 0.0.0.0. The certificate is the given one with its key. Without these, with
    --hall and without --no-tls, it is one of this server, made in the data folder if necessary. Else there is none.
    Raises CommandError if the given files cannot be used, or if `hall` and this machine has no private address.
    """
    from api.web.edge.server import HallNetwork

    hosts = _local_hosts(hall) if host == _EVERY_ADDRESS else []
    if certificate and key:
        from api.service.certificates import TlsFiles

        files = TlsFiles(certificate, key)
        try:
            files.context()
        except OSError as error:
            from carddb.system_messages import system_reason

            raise CommandError(
                phrase(
                    "{certificate} and {key} cannot be used for https: {problem}",
                    certificate=certificate,
                    key=key,
                    problem=system_reason(str(error.strerror or error)),
                )
            ) from None
        return HallNetwork(hosts, files)
    if not hall or tls is False:
        return HallNetwork(hosts)
    from api.service.certificates import hall_certificate

    made = hall_certificate(settings.data_dir, hosts)
    return HallNetwork(hosts, made.files, certificate=made)


def _show_key(settings: Settings, translate: Language) -> None:
    """Print the admin key of the settings, and the path of the file in the data folder that has it.

    Only for a key that was read from that file.
    """
    from api.service.secret_key import admin_key_file

    click.echo("\n" + translate("The admin key, which creates events: {key}", key=settings.admin_key))
    click.echo(translate("It is kept in {file}", file=admin_key_file(settings.data_dir)))


def _local_hosts(hall: bool) -> list[str]:
    """Return the private IPv4 addresses of this machine. Raises CommandError if `hall` and there are none."""
    from api.service.local_network import addresses

    found = addresses()
    if hall and not found:
        raise CommandError(
            phrase("This machine is in no local network; join the wifi of the hall, or make one, and start again.")
        )
    return found


def _show_hall(hall: HallAddresses, local_address: str, translate: Language) -> None:
    """Print the addresses in the hall, a QR code of the first one, the local address, and the https address for judges.

    If the server made its own certificate, its fingerprint follows, with the page that explains how to trust it.
    """
    from api.sheets import qrcode

    click.echo(translate("In the hall: {address}", address=hall.plain()) + "\n")
    click.secho(qrcode.text(hall.plain()), fg="black", bg="bright_white")
    for host in hall.hosts[1:]:
        click.echo(translate("Also: {address}", address=hall.plain(host)))
    click.echo("\n" + translate("On this machine: {address}", address=local_address))
    if hall.secure_port:
        click.echo("\n" + translate("For judges and organisers: {address}", address=hall.secure()))
    if hall.certificate:
        page = f"{hall.plain()}hall"
        click.echo(
            translate("Before the event, their phones have to trust this server: {address} shows how.", address=page)
        )
        click.echo(translate("Its certificate has the SHA-256 fingerprint"))
        click.echo(hall.certificate.fingerprint)


def _open_in_browser(address: str) -> None:
    """Open an address in the browser, without waiting for it.

    A new process does it, because the server forks and may have no threads.
    """
    subprocess.Popen([sys.executable, "-m", "webbrowser", address], stdout=subprocess.DEVNULL)


@click.command()
@click.option("--beside", type=int, metavar="PID", hidden=True, help="End when this parent process has ended.")
def worker_command(beside: int | None) -> None:
    """Run waiting jobs, and sync card lists at night.

    `deckproof serve` runs a worker itself if there is no other. Run more workers, here or on other machines, for more
    jobs at a time. SIGTERM and SIGINT end the worker in good order: another worker repeats a job that was not finished
    in a few seconds.
    """
    import logging

    from api.jobs.worker import JobWorker
    from api.service.effective_settings import log_unknown_variables
    from api.service.logs import LogThrottle, configure_logs
    from api.service.settings import Settings

    settings = Settings.from_environment()
    configure_logs(settings)
    if beside is None:  # else the server has warned
        log_unknown_variables()
    logging.getLogger("urllib3").setLevel(logging.ERROR)  # a sync that fails says itself why
    for handler in logging.getLogger().handlers:
        handler.addFilter(LogThrottle("huey.consumer"))  # a queue that is away is looked into again and again
    JobWorker(settings).run(beside)


@click.command()
def mcp_command() -> None:
    """Serve assistants their tools (MCP).

    These are the tools of the Model Context Protocol, on standard input and output: check, repair, when, odds, card
    and rule. It needs the extra `mcp`: pip install 'deckproof[mcp]'.
    """
    from api.assistant import make_server

    try:
        server = make_server(options.library())
    except ModuleNotFoundError as error:
        if error.name != "mcp":
            raise
        raise CommandError(phrase("the SDK is not installed; `pip install 'deckproof[mcp]'` installs it.")) from None
    server.run()


_SOURCES = {"environment": phrase("environment"), "default": phrase("default")}


@click.command()
@options.JSON
@options.LANG
def settings_command(as_json: bool, translate: Language) -> None:
    """Show the value and the source of each setting.

    A setting is an environment variable, or has its default. Keys and passwords are masked. Exits with 2
    if a value is unusable.
    """
    from api.service.effective_settings import effective_settings, unknown_variables

    settings, unknown = effective_settings(), list(unknown_variables())
    problems = [setting.problem for setting in settings if setting.problem]
    if as_json:
        found = [setting._asdict() for setting in settings]
        options.write_json({"settings": found, "unknown": [variable._asdict() for variable in unknown]})
    else:
        rows = (
            (
                setting.variable,
                translate("unusable") if setting.value is None else setting.value,
                translate.text(_SOURCES[setting.source]),
            )
            for setting in settings
        )
        console.table([translate("setting"), translate("value"), translate("source")], rows)
    for variable in unknown:
        warning = translate("{place}: {problem}", place=translate("Warning"), problem=variable.describe(translate))
        click.echo(console.clean(warning), err=True)
    if problems:
        raise CommandError(join_phrases(problems, "\n"))
