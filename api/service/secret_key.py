"""The secret key: what forms and webhooks are signed with, set or kept in the data folder."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from api.service.settings import Settings


def secret_key(settings: Settings) -> str:
    """Return the secret that is set, else the one that is kept."""
    return settings.secret_key or kept_secret(settings.data_dir)


def kept_secret(folder: Path) -> str:
    """Return the secret that is kept in a folder; the first who asks makes it."""
    path = folder / "secret_key"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        draft = folder / f"secret_key.{secrets.token_hex(8)}"
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(32))
        with suppress(FileExistsError):  # another worker was faster, whole as its file is
            os.link(draft, path)
        draft.unlink()
    return path.read_text()
