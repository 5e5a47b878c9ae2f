"""Settings: environment variables, each with a parser, a default that works and the sentence that documents it.

They are read without environs or pydantic-settings on purpose. Every command reads them, and importing these takes 70
and 200 ms of a processor's time, of the 390 ms that a whole `deckproof check` takes (environs 15, pydantic-settings
2.16). What they would replace is the loop of `from_environment`: both leave the parsers and the sentences to us.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from datetime import time
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, NamedTuple

from api.service.errors import SettingError
from validator.games import GAMES, WITH_SITE, Game

# The folder in which worker processes add up their counters. The name is from prometheus_client.
SHARED_COUNTERS = "PROMETHEUS_MULTIPROC_DIR"


_SECRETS = frozenset({"admin_key", "secret_key", "database_url", "redis_url"})  # their values are in no message
_HIGHEST = 10**15 - 1
Parse = Callable[[str], Any]  # returns the value of a setting; raises ValueError with what to write


def _folder(value: str) -> Path:
    """Return a path with `~` expanded."""
    return Path(os.path.expanduser(value))


def _whole_number(smallest: int, largest: int, expected: str) -> Parse:
    """Return a parser of whole numbers within bounds."""

    def parse(value: str) -> int:
        if not (value.isascii() and value.isdigit() and len(value) < 16) or not smallest <= int(value) <= largest:
            raise ValueError(f"write {expected}")
        return int(value)

    return parse


def _matching(pattern: str, expected: str, parse: Parse = str) -> Parse:
    """Return a parser of values that match a pattern."""
    form = re.compile(pattern)

    def parse_match(value: str) -> Any:
        if not form.fullmatch(value):
            raise ValueError(f"write {expected}")
        return parse(value)

    return parse_match


_url = _matching(
    r"[a-z][a-z0-9+]*://.*", "a database URL, such as sqlite:////srv/deckproof.db or postgresql+psycopg://host/name"
)
_rate = _matching(
    r"[1-9][0-9]{0,8} ?(?:/|per ) ?(?:[1-9][0-9]{0,3} ?)?(?:second|minute|hour|day)s?",
    "how many requests in what time, such as 600/minute, or nothing for no limit",
)
_site = _matching(
    r"https?://[^\s/?#]+(?:/[^\s?#]*)?", "the address of a site, such as https://en.onepiece-cardgame.com"
)
_public_url = _matching(
    r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:/[^\s?#]*)?",
    "the address at which phones open the pages, such as https://decks.example",
    lambda value: value.rstrip("/"),
)
_seconds = _matching(r"[0-9]{1,4}(?:\.[0-9]{1,3})?", "a number of seconds, such as 1 or 0.5", float)
_redis = _matching(r"(?:rediss?|unix)://\S+", "the address of a Redis database, such as redis://127.0.0.1:6379/0")
_time = _matching(
    r"(?:[01][0-9]|2[0-3]):[0-5][0-9]", "a time of day from 00:00 to 23:59, such as 03:30", time.fromisoformat
)
_log_format = _matching("(?i:text|json)", "text or json", str.lower)
_log_level = _matching("(?i:debug|info|warning|error)", "one of debug, info, warning, error", str.lower)
_worker = _matching("(?i:auto|on|off)", "one of auto, on, off", str.lower)


def _rate_or_none(value: str) -> Any:
    """Return a rate limit, "" for the word "none". Raises ValueError for other text."""
    return "" if value.lower() == "none" else _rate(value)


_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(?::[0-9]{1,5})?", re.IGNORECASE)


def _origins(value: str) -> tuple[str, ...]:
    """Return the origins in a list, `("*",)` for any, none for the word "none". Raises ValueError for other text."""
    origins = tuple(dict.fromkeys(value.replace(",", " ").split()))
    if origins in (("*",), ("none",)):
        return origins if origins == ("*",) else ()
    if not all(map(_ORIGIN.fullmatch, origins)):
        raise ValueError("write origins such as https://decks.example, with commas between, or * for any, or none")
    return origins


def _games(value: str) -> tuple[str, ...]:
    """Return the games in a list, each once. Raises ValueError for another game or an empty list."""
    games = tuple(dict.fromkeys(value.replace(",", " ").split()))
    if not games or not set(WITH_SITE) >= set(games):
        raise ValueError(f"write one or more of {', '.join(WITH_SITE)}, with commas between")
    return games


class ListenAddress(NamedTuple):
    """An address at which a server listens."""

    host: str
    port: int


_ADDRESS = re.compile(r"([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})")


def _listen_address(value: str) -> ListenAddress:
    """Return the address in a text such as 127.0.0.1:9464. Raises ValueError for other text."""
    match = _ADDRESS.fullmatch(value)
    if not match or not 0 < int(match[2]) < 65_536:
        raise ValueError("write a host and a port, such as 127.0.0.1:9464 or [::1]:9464")
    return ListenAddress(match[1].strip("[]"), int(match[2]))


def _proxy_networks(value: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Return the addresses and networks of proxies. Raises ValueError for a value that includes every address."""
    wanted = "write the addresses or networks of your proxies, such as 127.0.0.1 or 10.1.0.0/16, with commas between"
    every = f"{wanted}; if every address were trusted, each client could choose the address under which it is counted"
    if "*" in value:
        raise ValueError(every)
    try:
        networks = tuple(map(ip_network, value.replace(",", " ").split()))
    except ValueError:
        raise ValueError(wanted) from None
    if not all(network.prefixlen for network in networks):
        raise ValueError(every)
    return networks


# Settings of earlier versions, and what to do instead.
_REMOVED = {
    "DECKPROOF_PROXIES": "unset it, and write the addresses of your proxies into DECKPROOF_TRUSTED_PROXIES, "
    "such as 127.0.0.1",
    "DECKPROOF_WEBHOOK_NETWORKS": "unset it, and have your program read /v1/changes or the Atom feed /v1/changes.atom, "
    "for nothing is sent to webhooks any more",
}


def _home() -> Path:
    """Return the default data folder."""
    return _folder(os.environ.get("XDG_DATA_HOME") or "~/.local/share") / "deckproof"


def _setting(default: Any, parse: Parse, description: str) -> Any:
    """Return a field. Its variable is its name in capitals after DECKPROOF_."""
    return field(default=default, metadata={"parse": parse, "description": description})


def _count(default: int, unit: str, description: str, least: int = 1, most: int | None = None) -> Any:
    """Return a field for a number of `unit`, from `least` to `most` (None: no limit)."""
    bounds = (f" from {least}" if least else "") + (f" to {most}" if most else "")
    parse = _whole_number(least, most or _HIGHEST, f"a number of {unit}{bounds}, such as {default}")
    return _setting(default, parse, description)


def _site_of(game: Game) -> Any:
    """Return a field for the address of the official site of a game."""
    return _setting(game.site, _site, f"Where the official {game.title} site is, for mirrors and tests.")


class Documented(NamedTuple):
    """A setting as the README lists it."""

    env: str
    default: str
    description: str


@dataclass(frozen=True)
class Settings:
    """The settings of the environment, each with a default that works."""

    database_url: str = _setting(
        "", _url, "Where cards are kept; any SQLAlchemy URL. Default: SQLite in the data folder."
    )
    data_dir: Path = field(
        default_factory=_home,
        metadata={
            "parse": _folder,
            "description": "The folder for what deckproof keeps. Default: ~/.local/share/deckproof.",
        },
    )
    max_body: int = _count(5_000_000, "bytes", "The largest request body in bytes; larger ones get 413.", least=1000)
    max_batch: int = _count(
        200_000_000,
        "bytes",
        "The largest body of POST /v1/validate/batch in bytes, all its lines together.",
        least=1000,
    )
    request_seconds: int = _count(
        5,
        "seconds",
        "Seconds of a processor that a large request may take; it is refused when they are spent.",
        most=600,
    )
    workers: int = _setting(
        0,
        _whole_number(0, _HIGHEST, "a number of processes, or 0 for one per core"),
        "Processes that serve requests; 0 is one per core, 8 at most.",
    )
    rate_limit: str = _setting(
        "",
        _rate,
        "Requests that one address may send, such as 600/minute; empty is no limit. With Redis all servers count "
        "together, without Redis each process of a server counts its own.",
    )
    key_attempts: str = _setting(
        "100/minute",
        _rate_or_none,
        "Wrong keys and codes of events that one address may try, such as 100/minute; none is no limit. Counted as "
        "requests are.",
    )
    trusted_proxies: tuple[IPv4Network | IPv6Network, ...] = _setting(
        (),
        _proxy_networks,
        "Addresses or networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed, such as 127.0.0.1.",
    )
    public_url: str = _setting(
        "",
        _public_url,
        "The address at which players' phones open the pages, such as https://decks.example. Flyers, links and codes "
        "have it. Default: the address of each request.",
    )
    origins: tuple[str, ...] = _setting(
        ("*",),
        _origins,
        "Sites whose pages may ask what keeps nothing (CORS), such as https://decks.example; * is any, none is none.",
    )
    operations_address: ListenAddress | None = field(
        default=None,
        metadata={
            "parse": _listen_address,
            "description": "A second address, such as 127.0.0.1:9464, to which /metrics and the details of /readyz "
            "move. Each server needs its own.",
        },
    )
    log_format: str = _setting("text", _log_format, "The form of the log: text, or json with one object per line.")
    log_level: str = _setting(
        "info", _log_level, "The least level of log entries: debug, info (a line per request), warning or error."
    )

    optcg_site: str = _site_of(GAMES["optcg"])
    dbs_site: str = _site_of(GAMES["dbs"])
    sync_pause: float = _setting(
        1.0, _seconds, "Seconds between two requests to one site; robots.txt may ask for more."
    )
    sync_at: time | None = field(
        default=None,
        metadata={
            "parse": _time,
            "description": "When a worker syncs the card lists every night, in UTC, such as 03:30; empty is never.",
        },
    )
    sync_games: tuple[str, ...] = _setting(WITH_SITE, _games, "The games whose card lists are synced every night.")
    snapshots_kept: int = _count(
        30,
        "snapshots",
        "The newest snapshots of each game that are kept; the current one and one for each month are kept as well.",
    )
    redis_url: str = _setting(
        "",
        _redis,
        "A Redis database that wakes workers and counts rate limits, such as redis://127.0.0.1:6379/0. Default: none.",
    )
    worker: str = _setting(
        "auto", _worker, "Whether serve runs a worker itself: on, off, or auto: while no other is at work."
    )

    max_workbook: int = _count(
        20_000_000, "bytes", "The largest spreadsheet of decks in bytes; larger ones get 413.", least=1000
    )
    at_once: int = _count(
        100_000, "bytes", "The largest spreadsheet in bytes that is answered at once; larger ones become jobs.", least=0
    )
    max_jobs: int = _count(100, "jobs", "Jobs that may wait; further ones get 503.")
    job_space: int = _count(
        1_000_000_000, "bytes", "Bytes that the files of all jobs may have together.", least=1_000_000
    )
    job_hours: int = _count(24, "hours", "Hours for which the result of a job is kept.", most=8760)

    admin_key: str = _setting(
        "",
        _matching(r"[!-~]{16,200}", "a secret of 16 to 200 letters, digits and signs, without blanks"),
        "The key that is needed to create an event, and that may do everything at every event. Default: anyone on "
        "this machine creates events; a server that others reach keeps a key in the data folder.",
    )
    open_events: str = _setting(
        "",
        _rate,
        "Events that one address may create without the admin key, such as 20/day; empty: none. All strangers "
        "together may create half of DECKPROOF_MAX_EVENTS.",
    )
    unused_event_days: int = _count(
        14,
        "days",
        "Days after which a stranger's event is deleted if nothing was done with it, from its creation or opening.",
        most=365,
    )
    stranger_bytes: int = _count(
        50_000_000,
        "bytes",
        "Bytes of lists that players may register at one event without the help of its judges.",
        least=100_000,
        most=200_000_000,
    )
    address_bytes: int = _count(
        20_000_000,
        "bytes",
        "Bytes of lists that one address may register in a day. Counted as requests are, and only by servers with an "
        "admin key.",
        least=100_000,
    )
    max_events: int = _count(
        1000,
        "events",
        "Events that are kept; further ones get 503.",
    )
    event_days: int = _count(
        90,
        "days",
        "Days after an event for which it is kept, where its organiser does not say.",
        most=3650,
    )
    restore_days: int = _count(
        14,
        "days",
        "Days for which a deleted event, or one whose retention has ended, can be restored before it is removed.",
        least=7,
        most=365,
    )

    secret_key: str = _setting(
        "",
        _matching(r"[!-~]{16,200}", "a secret of 16 to 200 letters, digits and signs, without blanks"),
        "What forms and exported events are signed with, one for all servers and workers. "
        "Default: kept in the data folder.",
    )

    @property
    def database(self) -> str:
        """The database URL: the value of the setting, else SQLite in the data folder."""
        return self.database_url or f"sqlite:///{self.data_dir / 'deckproof.db'}"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Return the settings of an environment.

        Raises SettingError with a line for each unusable value and each removed setting.
        """
        values = {}
        wrong = [f"{name} was removed; {advice}." for name, advice in _REMOVED.items() if environment.get(name)]
        for name, setting in cls.__dataclass_fields__.items():
            if written := environment.get(_variable(name), "").strip():
                try:
                    values[name] = setting.metadata["parse"](written)
                except ValueError as error:
                    found = "unusable" if name in _SECRETS else repr(written[:80])
                    wrong.append(f"{_variable(name)} is {found}; {error}.")
        if wrong:
            raise SettingError("\n".join(wrong))
        return cls(**values)

    @classmethod
    def documented(cls) -> Iterator[Documented]:
        """Yield each setting with its default and its description, as in the README."""
        for setting in fields(cls):
            yield Documented(_variable(setting.name), _default_text(setting.default), setting.metadata["description"])


def _variable(name: str) -> str:
    """Return the name of the environment variable of a setting."""
    return f"DECKPROOF_{name.upper()}"


def _default_text(default: Any) -> str:
    """Return a default as a user would write it. "" if there is none, or if it depends on the machine."""
    if default is None or default is MISSING:
        return ""
    return ",".join(default) if isinstance(default, tuple) else str(default)
