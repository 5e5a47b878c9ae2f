"""Replacement of a file: the old file or the whole new content, and no other file."""

import stat

import pytest

from carddb.files.replacement import ONLY_OWNER, replace_file


def test_new_content_replaces_the_old(tmp_path):
    target = tmp_path / "cards.csv"
    target.write_bytes(b"old")
    with replace_file(target) as file:
        file.write(b"new")
        assert target.read_bytes() == b"old"
    assert target.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [target]


def write_half(target, error):
    with replace_file(target) as file:
        file.write(b"ne")
        raise error


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_an_error_leaves_the_old_file_alone(tmp_path, error):
    target = tmp_path / "cards.csv"
    target.write_bytes(b"old")
    with pytest.raises(type(error)) as refusal:
        write_half(target, error)
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]
    if isinstance(error, OSError):
        assert (refusal.value.errno, refusal.value.filename) == (28, str(target))


def test_a_private_file_is_readable_by_its_owner_only(tmp_path):
    target = tmp_path / "hall_server.pem"
    with replace_file(target, ONLY_OWNER) as file:
        assert [stat.S_IMODE(part.stat().st_mode) for part in tmp_path.iterdir()] == [0o600]
        file.write(b"key")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_an_error_names_the_file_in_a_missing_folder(tmp_path):
    target = tmp_path / "missing" / "cards.csv"
    with pytest.raises(FileNotFoundError) as refusal, replace_file(target):
        pass
    assert refusal.value.filename == str(target)
