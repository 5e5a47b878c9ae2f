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
    """Get the addresses of the hall, the certificate's fingerprint and the steps for each kind of phone."""
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
    """Get the certificate that phones have to trust."""
    found = services().hall
    if found is None or found.certificate is None:
        raise NotFound(phrase("This server has no certificate of its own."))
    response = Response(found.certificate.authority, content_type="application/x-x509-ca-cert")
    response.headers.update(file_headers(_FILE))
    return response
