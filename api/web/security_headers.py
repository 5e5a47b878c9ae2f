"""Security headers: what every answer forbids a browser to make of it."""

from __future__ import annotations

from collections.abc import Mapping

GUARDS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
UNKEPT: Mapping[str, str] = {"Cache-Control": "no-store"}
