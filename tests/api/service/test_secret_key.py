"""The secret key: made once, for its owner alone, and without a trace if there is no room for it."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from api.service.errors import SettingError
from api.service.secret_key import admin_key, admin_key_file, secret_key
from api.service.settings import Settings
from tests.carddb.processes import run

WITHOUT_ROOM = """
import errno, resource, sys
from pathlib import Path
sys.dont_write_bytecode = True  # half-written files would break later processes
from api.service.secret_key import secret_key
from api.service.settings import Settings
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
try:
    secret_key(Settings(data_dir=Path({folder!r})))
except OSError as error:
    print(errno.errorcode[error.errno], error.filename)
"""


def make_key(folder):
    return secret_key(Settings(data_dir=folder))


def test_the_key_is_made_once_and_for_its_owner_alone(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(make_key, [tmp_path / "new"] * 8))
    assert [len(key) >= 40 for key in keys] == [True]
    (path,) = (tmp_path / "new").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_admin_key_is_made_once_and_for_its_owner_alone(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(admin_key, [tmp_path / "new"] * 8))
    assert [len(key) for key in keys] == [16]
    assert keys.isdisjoint({make_key(tmp_path / "new")})
    assert stat.S_IMODE(admin_key_file(tmp_path / "new").stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "short", "  \n", "15 characters.."])
@pytest.mark.parametrize(("name", "read_key"), [("admin_key", admin_key), ("secret_key", make_key)])
def test_a_file_with_a_short_key_is_refused(tmp_path, name, read_key, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(SettingError):
        read_key(tmp_path)


def test_a_secret_key_keeps_its_line_end(tmp_path):
    (tmp_path / "secret_key").write_text("a-key-of-my-own-choice\n")
    assert make_key(tmp_path) == "a-key-of-my-own-choice\n"


def test_an_admin_key_that_was_written_by_hand_is_taken(tmp_path):
    admin_key_file(tmp_path).write_text("a-key-of-my-own-choice\n")
    assert admin_key(tmp_path) == "a-key-of-my-own-choice"


def test_the_key_of_the_settings_needs_no_file(tmp_path):
    assert secret_key(Settings(data_dir=tmp_path, secret_key="s" * 20)) == "s" * 20
    assert list(tmp_path.iterdir()) == []


def test_a_key_that_has_no_room_leaves_nothing_behind(tmp_path):
    assert run(WITHOUT_ROOM.format(folder=str(tmp_path))) == f"EFBIG {tmp_path}/secret_key"
    assert list(tmp_path.iterdir()) == []
    assert make_key(tmp_path)  # as soon as there is room


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "taken").touch()
    with pytest.raises(FileExistsError) as refusal:
        make_key(tmp_path / "taken")
    assert refusal.value.filename.startswith(str(tmp_path / "taken"))
