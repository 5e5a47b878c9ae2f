"""Keys in the data folder, each in its own file, if the settings have none.

The secret key signs forms and exported events. The admin key is needed to create events, and only `deckproof serve`
makes it.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from api.service.errors import SettingError
from api.service.settings import Settings
from validator.language import phrase

_SECRET_BYTES, _ADMIN_BYTES = 32, 12
_SHORTEST = 16  # characters of a key; a shorter key could be guessed


def secret_key(settings: Settings) -> str:
    """Return the key that signs forms and exported events: that of the settings, else that of the data folder.

    If there is none, a key is made and stored in the data folder. Raises SettingError if the key in the file has less
    than 16 characters, OSError with the name of the file if the key can neither be read nor made.
    """
    return settings.secret_key or _read_or_make(settings.data_dir / "secret_key", _SECRET_BYTES)


def admin_key_file(folder: Path) -> Path:
    """Return the path of the admin key's file in a data folder. The file need not exist."""
    return folder / "admin_key"


def admin_key(folder: Path) -> str:
    """Return the admin key in a data folder, stripped. Makes and stores a new key if there is no file.

    A new key is short (16 characters) because people type it. Raises SettingError if the key in the file has less than
    16 characters, OSError if the file can neither be read nor made.
    """
    return _read_or_make(admin_key_file(folder), _ADMIN_BYTES).strip()


def _read_or_make(path: Path, size: int) -> str:
    """Return the content of a key file. If the file is missing, make its folder, and the file with a new key.

    `size` is the number of random bytes of a new key. All processes that call at once get the same key. Raises
    SettingError if the file has less than 16 characters, OSError if it can neither be read nor made.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _make_key_file(path, size)
    key = path.read_text()
    if len(key.strip()) < _SHORTEST:
        raise SettingError(
            phrase(
                "{file} has no key of {count} characters. Restore the file from a backup. If you delete it, a new key "
                "is made.",
                file=path,
                count=_SHORTEST,
            )
        )
    return key


def _make_key_file(path: Path, size: int) -> None:
    """Write a new random key of `size` bytes, in URL-safe Base64, into a file that only its owner may read.

    A file that another process has made meanwhile is kept. Raises OSError with the name of the file.
    """
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(size))
            file.flush()
            os.fsync(file.fileno())  # else a power cut may leave the linked file empty
        with suppress(FileExistsError):  # another process was faster, and its file is complete
            os.link(draft, path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        draft.unlink(missing_ok=True)
