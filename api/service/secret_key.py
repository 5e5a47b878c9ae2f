"""The secret key that signs forms, webhooks and exported events: from the settings, else from the data folder."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from api.service.settings import Settings


def secret_key(settings: Settings) -> str:
    """Return the key of the settings, else the one in the data folder, which is made if there is none.

    Raises OSError, which names the file, if the key can neither be read nor made.
    """
    return settings.secret_key or kept_secret(settings.data_dir)


def kept_secret(folder: Path) -> str:
    """Return the key in a folder. The first call makes the key, also if several processes call at once."""
    path = folder / "secret_key"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _make(path)
    return path.read_text()


def _make(path: Path) -> None:
    """Write a new key into a file that only its owner may read; a file that exists meanwhile stays as it is."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(32))
        with suppress(FileExistsError):  # another process was faster, and its file is complete
            os.link(draft, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        draft.unlink(missing_ok=True)
