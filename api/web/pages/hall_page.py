"""The hall page: how a phone comes to trust the https certificate of a server in a hall."""

from __future__ import annotations

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from api.web.pages.rendering import render_response
from api.web.responses import file_headers
from api.web.services import services
from validator.language import phrase

blueprint = Blueprint("hall_page", __name__)

_FILE = "deckproof-hall.crt"


@blueprint.get("/hall")
def hall() -> Response:
    """Return the page that helps phones trust this server: its addresses, its certificate's fingerprint, and the steps.

    Values are "" if the server serves no local network, or has no certificate of its own.
    """
    found = services().hall
    certificate = found.certificate if found else None
    return render_response(
        "hall.html",
        plain=found.plain() if found else "",
        secure=found.secure() if found and found.secure_port else "",
        fingerprint=certificate.fingerprint if certificate else "",
        last_day=certificate.valid_until.date().isoformat() if certificate else "",
    )


@blueprint.get("/hall/authority.crt")
def authority() -> Response:
    """Return the certificate that phones have to trust, as a download.

    Raises NotFound if the server has none of its own.
    """
    found = services().hall
    if found is None or found.certificate is None:
        raise NotFound(phrase("This server has no certificate of its own."))
    response = Response(found.certificate.authority, content_type="application/x-x509-ca-cert")
    response.headers.update(file_headers(_FILE))
    return response
