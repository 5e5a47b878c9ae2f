"""Parsers of settings: each returns the value of a text, or raises ValueError with what to write instead.

Used by settings.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import time
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, NamedTuple

from validator.games import WITH_SITE
from validator.language import phrase

Parse = Callable[[str], Any]  # returns the value of a setting; raises ValueError with what to write


def parse_folder(value: str) -> Path:
    """Return the text as a path with `~` expanded. The folder need not exist."""
    return Path(os.path.expanduser(value))


def number_parser(smallest: int, largest: int, expected: str) -> Parse:
    """Return a parser of whole numbers from `smallest` to `largest`, written in at most 15 digits without a sign.

    The parser raises ValueError for other text. Its message is "write " and `expected`.
    """

    def parse(value: str) -> int:
        """Return the number of a text of digits. Raises ValueError if it is no whole number within the bounds."""
        if not (value.isascii() and value.isdigit() and len(value) < 16) or not smallest <= int(value) <= largest:
            raise ValueError(phrase("write {expected}", expected=expected))
        return int(value)

    return parse


def pattern_parser(pattern: str, expected: str, parse: Parse = str) -> Parse:
    """Return a parser that checks that the whole text matches a regular expression, then returns `parse(text)`.

    The parser raises ValueError for other text. Its message is "write " and `expected`.
    """
    form = re.compile(pattern)

    def parse_match(value: str) -> Any:
        """Return `parse(value)`. Raises ValueError unless the whole text matches the pattern."""
        if not form.fullmatch(value):
            raise ValueError(phrase("write {expected}", expected=expected))
        return parse(value)

    return parse_match


parse_database_url = pattern_parser(
    r"[a-z][a-z0-9+]*://.*",
    phrase("a database URL, such as sqlite:////srv/deckproof.db or postgresql+psycopg://host/name"),
)
parse_rate = pattern_parser(
    r"[1-9][0-9]{0,8} ?(?:/|per ) ?(?:[1-9][0-9]{0,3} ?)?(?:second|minute|hour|day)s?",
    phrase("how many requests in what time, such as 600/minute, or nothing for no limit"),
)
parse_site = pattern_parser(
    r"https?://[^\s/?#]+(?:/[^\s?#]*)?", phrase("the address of a site, such as https://en.onepiece-cardgame.com")
)
parse_public_url = pattern_parser(
    r"https?://(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:/[^\s?#]*)?",
    phrase("the address at which phones open the pages, such as https://decks.example"),
    lambda value: value.rstrip("/"),
)
parse_seconds = pattern_parser(r"[0-9]{1,4}(?:\.[0-9]{1,3})?", phrase("a number of seconds, such as 1 or 0.5"), float)
parse_redis_url = pattern_parser(
    r"(?:rediss?|unix)://\S+", phrase("the address of a Redis database, such as redis://127.0.0.1:6379/0")
)
parse_time = pattern_parser(
    r"(?:[01][0-9]|2[0-3]):[0-5][0-9]", phrase("a time of day from 00:00 to 23:59, such as 03:30"), time.fromisoformat
)
parse_log_format = pattern_parser("(?i:text|json)", phrase("text or json"), str.lower)
parse_log_level = pattern_parser(
    "(?i:debug|info|warning|error)", phrase("one of debug, info, warning, error"), str.lower
)
parse_key = pattern_parser(r"[!-~]{16,200}", phrase("a secret of 16 to 200 letters, digits and signs, without blanks"))
parse_worker = pattern_parser("(?i:auto|on|off)", phrase("one of auto, on, off"), str.lower)


def parse_rate_or_none(value: str) -> Any:
    """Return the text of a rate limit such as "100/minute" unchanged, or "" (no limit) for "none" in any case.

    Raises ValueError for text that `parse_rate` does not accept.
    """
    return "" if value.lower() == "none" else parse_rate(value)


_ORIGIN = re.compile(r"https?://[a-z0-9.-]+(?::[0-9]{1,5})?", re.IGNORECASE)


def parse_origins(value: str) -> tuple[str, ...]:
    """Return the web origins in a list separated by commas or blanks, each once, in order.

    `*` (any origin) → `("*",)`, "none" or "" → `()`. Raises ValueError if a part is no http or https origin, which has
    a host and perhaps a port, but no path.
    """
    origins = tuple(dict.fromkeys(value.replace(",", " ").split()))
    if origins in (("*",), ("none",)):
        return origins if origins == ("*",) else ()
    if not all(map(_ORIGIN.fullmatch, origins)):
        raise ValueError(
            phrase("write origins such as https://decks.example, with commas between, or * for any, or none")
        )
    return origins


def parse_games(value: str) -> tuple[str, ...]:
    """Return the game ids in a list separated by commas or blanks, each once, in order.

    Raises ValueError for an empty list, and for a game without an official site that can be synced.
    """
    games = tuple(dict.fromkeys(value.replace(",", " ").split()))
    if not games or not set(WITH_SITE) >= set(games):
        raise ValueError(phrase("write one or more of {games}, with commas between", games=", ".join(WITH_SITE)))
    return games


class ListenAddress(NamedTuple):
    """An address at which a server listens: a host name or an IP address without brackets, and a port."""

    host: str
    port: int


_ADDRESS = re.compile(r"([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})")


def parse_listen_address(value: str) -> ListenAddress:
    """Return host and port of a text such as `127.0.0.1:9464` or `[::1]:9464`. The port is 1 to 65,535.

    Of the host only the characters are checked. Raises ValueError for other text.
    """
    match = _ADDRESS.fullmatch(value)
    if not match or not 0 < int(match[2]) < 65_536:
        raise ValueError(phrase("write a host and a port, such as 127.0.0.1:9464 or [::1]:9464"))
    return ListenAddress(match[1].strip("[]"), int(match[2]))


def parse_proxy_networks(value: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """Return the IP addresses and networks in a list separated by commas or blanks, in order. "" is an empty tuple.

    An address is a network of one address. Raises ValueError for other text, also for `*` and for a network of all
    addresses (`0.0.0.0/0`).
    """
    wanted = phrase(
        "write the addresses or networks of your proxies, such as 127.0.0.1 or 10.1.0.0/16, with commas between"
    )
    every = phrase(
        "{advice}; if every address were trusted, each client could choose the address under which it is counted",
        advice=wanted,
    )
    if "*" in value:
        raise ValueError(every)
    try:
        networks = tuple(map(ip_network, value.replace(",", " ").split()))
    except ValueError:
        raise ValueError(wanted) from None
    if not all(network.prefixlen for network in networks):
        raise ValueError(every)
    return networks
