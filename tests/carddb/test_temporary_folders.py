"""Temporary folders: they end with their block, and those of processes that were killed are removed later."""

import os

from carddb.temporary_folders import remove_leftover_folders, temporary_folder


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_folder_and_its_content_end_with_the_block(tmp_path):
    with temporary_folder("job", tmp_path) as folder:
        (folder / "result").write_text("x")
        assert folder.name.startswith("deckproof-job-")
        assert folder.stat().st_mode & 0o777 == 0o700
    assert names_in(tmp_path) == []


def test_a_process_forked_inside_the_block_leaves_the_folder(tmp_path):
    with temporary_folder("job", tmp_path) as folder:
        if (child := os.fork()) == 0:
            try:
                with temporary_folder("other", tmp_path):
                    pass
                raise SystemExit
            finally:
                os._exit(0 if folder.exists() else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert names_in(tmp_path) == [folder.name]


def test_leftover_folders_are_removed_and_those_in_use_stay(tmp_path):
    for name in ("deckproof-job-killed", "deckproof.copy-killed", "other-folder"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "result").write_text("x")
    (tmp_path / "deckproof-file").write_text("x")
    with temporary_folder("job", tmp_path) as used:
        remove_leftover_folders(tmp_path)
        assert names_in(tmp_path) == sorted([used.name, "deckproof-file", "deckproof.copy-killed", "other-folder"])
    remove_leftover_folders(tmp_path, "deckproof.copy-")
    assert names_in(tmp_path) == ["deckproof-file", "other-folder"]
