"""Settings: environment variables, each with a parser, a default that works and the sentence that documents it.

They are read without environs or pydantic-settings on purpose. Every command reads them, and importing these takes 70
and 200 ms of a processor's time, of the 390 ms that a whole `deckproof check` takes (environs 15, pydantic-settings
2.16). What they would replace is the loop of `from_environment`: both leave the parsers and the sentences to us.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from datetime import time
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import TYPE_CHECKING, Any

from api.service.errors import SettingError
from api.service.setting_parsers import (
    ListenAddress,
    Parse,
    number_parser,
    parse_database_url,
    parse_folder,
    parse_games,
    parse_key,
    parse_listen_address,
    parse_log_format,
    parse_log_level,
    parse_origins,
    parse_proxy_networks,
    parse_public_url,
    parse_rate,
    parse_rate_or_none,
    parse_redis_url,
    parse_seconds,
    parse_site,
    parse_time,
    parse_worker,
)
from validator.errors import error_text
from validator.games import GAMES, WITH_SITE, Game
from validator.language import join_phrases, phrase

if TYPE_CHECKING:
    from carddb.sync.card_sync import Access

# The folder in which worker processes add up their counters. The name is from prometheus_client.
SHARED_COUNTERS = "PROMETHEUS_MULTIPROC_DIR"

SECRETS = frozenset({"admin_key", "secret_key", "database_url", "redis_url"})  # their values are in no message
_HIGHEST = 10**15 - 1

_BYTES, _SECONDS = phrase("a number of bytes"), phrase("a number of seconds")
_HOURS, _DAYS = phrase("a number of hours"), phrase("a number of days")
_SNAPSHOTS, _JOBS, _EVENTS = phrase("a number of snapshots"), phrase("a number of jobs"), phrase("a number of events")

# Settings of earlier versions, and what to do instead.
_REMOVED = {
    "DECKPROOF_PROXIES": phrase(
        "unset it, and write the addresses of your proxies into DECKPROOF_TRUSTED_PROXIES, such as 127.0.0.1"
    ),
    "DECKPROOF_WEBHOOK_NETWORKS": phrase(
        "unset it, and have your program read /v1/changes or the Atom feed /v1/changes.atom, for nothing is sent to "
        "webhooks any more"
    ),
}


def _home() -> Path:
    """Return the default data folder: `deckproof` in $XDG_DATA_HOME, without that variable ~/.local/share/deckproof."""
    return parse_folder(os.environ.get("XDG_DATA_HOME") or "~/.local/share") / "deckproof"


def _setting_field(default: Any, parse: Parse, description: str) -> Any:
    """Return a dataclass field of Settings with its default, its parser, and its description for the README.

    Its environment variable is its name in capitals after DECKPROOF_. The default is not parsed.
    """
    return field(default=default, metadata={"parse": parse, "description": description})


def _count_field(default: int, unit: str, description: str, least: int = 1, most: int | None = None) -> Any:
    """Return a field of Settings for a whole number from `least` to `most` (None: 10**15 - 1).

    `unit` is such as "a number of days". The error about a wrong number has it, with `default` as an example.
    """
    if most:
        expected = phrase(
            "{number} from {least} to {most}, such as {example}", number=unit, least=least, most=most, example=default
        )
    elif least:
        expected = phrase("{number} from {least}, such as {example}", number=unit, least=least, example=default)
    else:
        expected = phrase("{number}, such as {example}", number=unit, example=default)
    return _setting_field(default, number_parser(least, most or _HIGHEST, expected), description)


def _site_field(game: Game) -> Any:
    """Return a field of Settings for the address of a game's official site. Its default is the site of the game."""
    return _setting_field(game.site, parse_site, f"Where the official {game.title} site is, for mirrors and tests.")


@dataclass(frozen=True)
class Settings:
    """The settings of the environment, each with a default that works. Each field has its parser in its metadata."""

    database_url: str = _setting_field(
        "", parse_database_url, "Where cards are kept; any SQLAlchemy URL. Default: SQLite in the data folder."
    )
    data_dir: Path = field(
        default_factory=_home,
        metadata={
            "parse": parse_folder,
            "description": "The folder for what deckproof keeps. Default: ~/.local/share/deckproof.",
        },
    )
    max_body: int = _count_field(
        5_000_000, _BYTES, "The largest request body in bytes; larger ones get 413.", least=1000
    )
    max_batch: int = _count_field(
        200_000_000,
        _BYTES,
        "The largest body of POST /v1/validate/batch in bytes, all its lines together.",
        least=1000,
    )
    request_seconds: int = _count_field(
        5,
        _SECONDS,
        "Seconds of a processor that a large request may take; it is refused when they are spent.",
        most=600,
    )
    workers: int = _setting_field(
        0,
        number_parser(0, _HIGHEST, phrase("a number of processes, or 0 for one per core")),
        "Processes that serve requests; 0 is one per core, 8 at most.",
    )
    rate_limit: str = _setting_field(
        "",
        parse_rate,
        "Requests that one address may send, such as 600/minute; empty is no limit. With Redis all servers count "
        "together, without Redis each process of a server counts its own.",
    )
    key_attempts: str = _setting_field(
        "100/minute",
        parse_rate_or_none,
        "Wrong keys and codes of events that one address may try, such as 100/minute; none is no limit. Counted as "
        "requests are.",
    )
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = _setting_field(
        (),
        parse_proxy_networks,
        "Addresses or networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed, such as 127.0.0.1.",
    )
    public_url: str = _setting_field(
        "",
        parse_public_url,
        "The address at which players' phones open the pages, such as https://decks.example. Flyers, links and codes "
        "have it. Default: the address of each request.",
    )
    origins: tuple[str, ...] = _setting_field(
        ("*",),
        parse_origins,
        "Sites whose pages may ask what keeps nothing (CORS), such as https://decks.example; * is any, none is none.",
    )
    operations_address: ListenAddress | None = field(
        default=None,
        metadata={
            "parse": parse_listen_address,
            "description": "A second address, such as 127.0.0.1:9464, to which /metrics and the details of /readyz "
            "move. Each server needs its own.",
        },
    )
    log_format: str = _setting_field(
        "text", parse_log_format, "The form of the log: text, or json with one object per line."
    )
    log_level: str = _setting_field(
        "info", parse_log_level, "The least level of log entries: debug, info (a line per request), warning or error."
    )

    optcg_site: str = _site_field(GAMES["optcg"])
    dbs_site: str = _site_field(GAMES["dbs"])
    sync_pause: float = _setting_field(
        1.0, parse_seconds, "Seconds between two requests to one site; robots.txt may ask for more."
    )
    limits_dir: Path | None = field(
        default=None,
        metadata={
            "parse": parse_folder,
            "description": "A folder of list files (.toml) that are added to the official lists that ship. Changes "
            "are read while servers run. Default: none.",
        },
    )
    sync_at: time | None = field(
        default=None,
        metadata={
            "parse": parse_time,
            "description": "When a worker syncs the card lists every night, in UTC, such as 03:30; empty is never.",
        },
    )
    sync_games: tuple[str, ...] = _setting_field(
        WITH_SITE, parse_games, "The games whose card lists are synced every night."
    )
    snapshots_kept: int = _count_field(
        30,
        _SNAPSHOTS,
        "The newest snapshots of each game that are kept; the current one and one for each month are kept as well.",
    )
    redis_url: str = _setting_field(
        "",
        parse_redis_url,
        "A Redis database that wakes workers and counts rate limits, such as redis://127.0.0.1:6379/0. Default: none.",
    )
    worker: str = _setting_field(
        "auto", parse_worker, "Whether serve runs a worker itself: on, off, or auto: while no other is at work."
    )

    max_workbook: int = _count_field(
        20_000_000, _BYTES, "The largest spreadsheet of decks in bytes; larger ones get 413.", least=1000
    )
    at_once: int = _count_field(
        100_000, _BYTES, "The largest spreadsheet in bytes that is answered at once; larger ones become jobs.", least=0
    )
    max_jobs: int = _count_field(100, _JOBS, "Jobs that may wait; further ones get 503.")
    job_space: int = _count_field(
        1_000_000_000, _BYTES, "Bytes that the files of all jobs may have together.", least=1_000_000
    )
    job_hours: int = _count_field(24, _HOURS, "Hours for which the result of a job is kept.", most=8760)

    admin_key: str = _setting_field(
        "",
        parse_key,
        "The key that is needed to create an event, and that may do everything at every event. Default: anyone on "
        "this machine creates events; a server that others reach keeps a key in the data folder.",
    )
    open_events: str = _setting_field(
        "",
        parse_rate,
        "Events that one address may create without the admin key, such as 20/day; empty: none. All strangers "
        "together may create half of DECKPROOF_MAX_EVENTS.",
    )
    unused_event_days: int = _count_field(
        14,
        _DAYS,
        "Days after which a stranger's event is deleted if nothing was done with it, from its creation or opening.",
        most=365,
    )
    stranger_bytes: int = _count_field(
        50_000_000,
        _BYTES,
        "Bytes of lists that players may register at one event without the help of its judges.",
        least=100_000,
        most=200_000_000,
    )
    address_bytes: int = _count_field(
        20_000_000,
        _BYTES,
        "Bytes of lists that one address may register in a day. Counted as requests are, and only by servers with an "
        "admin key.",
        least=100_000,
    )
    max_events: int = _count_field(
        1000,
        _EVENTS,
        "Events that are kept; further ones get 503.",
    )
    event_days: int = _count_field(
        90,
        _DAYS,
        "Days after an event for which it is kept, where its organiser does not say.",
        most=3650,
    )
    restore_days: int = _count_field(
        14,
        _DAYS,
        "Days for which a deleted event, or one whose retention has ended, can be restored before it is removed.",
        least=7,
        most=365,
    )

    secret_key: str = _setting_field(
        "",
        parse_key,
        "What forms and exported events are signed with, one for all servers and workers. "
        "Default: kept in the data folder.",
    )

    @property
    def database(self) -> str:
        """The database URL: the value of the setting, else that of the SQLite file deckproof.db in the data folder."""
        return self.database_url or f"sqlite:///{self.data_dir / 'deckproof.db'}"

    def site_access(self, game: str) -> Access:
        """Return the access for syncs to a game's official site, or to a mirror that the settings name.

        It has the folder of stored pages, the site's address ("" for a game other than optcg and dbs), and the pause
        between requests. No request is sent here.
        """
        # Servers do not import the modules that fetch pages.
        from carddb.sync.card_sync import Access
        from carddb.sync.fetching import FetchPolicy

        address = {"optcg": self.optcg_site, "dbs": self.dbs_site}.get(game, "")
        return Access(self.data_dir / "pages", address, FetchPolicy(pause=self.sync_pause))

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Return the settings of an environment, with defaults for variables that are not set.

        A blank variable counts as not set. Raises SettingError with a line for each unusable value, and for each
        setting of earlier versions that is still set.
        """
        values, problems = read_variables(environment)
        if problems:
            raise SettingError(join_phrases(problems.values(), "\n"))
        return cls(**values)


def read_variables(environment: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return `(values, problems)`: the usable values by field of Settings, and a sentence by variable for each problem.

    A problem is an unusable value, or a setting of earlier versions that is still set. A blank variable counts as not
    set. Fields that are not set, or not usable, are missing in `values`. The values of secrets are in no sentence.
    """
    values: dict[str, Any] = {}
    problems: dict[str, str] = {
        name: phrase("{variable} was removed; {advice}.", variable=name, advice=advice)
        for name, advice in _REMOVED.items()
        if environment.get(name)
    }
    for setting in fields(Settings):
        variable = variable_name(setting.name)
        if written := environment.get(variable, "").strip():
            try:
                values[setting.name] = setting.metadata["parse"](written)
            except ValueError as error:
                problems[variable] = phrase(
                    "{variable} is {value}; {advice}.",
                    variable=variable,
                    value=phrase("unusable") if setting.name in SECRETS else repr(written[:80]),
                    advice=error_text(error),
                )
    return values, problems


def variable_name(name: str) -> str:
    """Return the environment variable of a field of Settings: `max_body` → `DECKPROOF_MAX_BODY`."""
    return f"DECKPROOF_{name.upper()}"


def default_text(default: Any) -> str:
    """Return `default`, the default of a field of Settings, as a user would write it. A tuple is joined by commas.

    "" if there is no default (None), or if it depends on the machine (MISSING).
    """
    if default is None or default is MISSING:
        return ""
    return ",".join(default) if isinstance(default, tuple) else str(default)
