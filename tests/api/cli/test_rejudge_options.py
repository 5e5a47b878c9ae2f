"""Options of `deckproof rejudge`: processes, day, terms and folder of a run. No deck is judged."""

from __future__ import annotations

import os
from datetime import date

import pytest
from click.testing import CliRunner

from api.cli import CommandError, cli, rejudge

DAY = date(2026, 11, 1)


@pytest.fixture(autouse=True)
def data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("DECKPROOF_DATA_DIR", str(tmp_path / "data"))


def test_a_run_has_a_process_for_each_core_by_default():
    assert rejudge._choose_engine(None, None).workers == len(os.sched_getaffinity(0))
    assert rejudge._choose_engine(3, None).workers == 3
    with pytest.raises(CommandError, match="--dask"):
        rejudge._choose_engine(3, "127.0.0.1:1")


@pytest.mark.parametrize("on", [DAY, None])
def test_today_is_the_default_day_of_a_run(tmp_path, on):
    job = rejudge._describe_job(str(tmp_path / "results"), {"on": on, "before": DAY, "full": True, "game": "optcg"})
    assert (job.question.asked.on, job.question.asked.game) == (on or date.today(), "optcg")
    assert (job.question.before, job.question.full, str(job.folder)) == (DAY, True, str(tmp_path / "results"))
    assert {game for game, _ in job.snapshots} >= {"optcg", "dbs", "gundam", "bos"}


def test_a_dry_run_has_no_folder():
    assert rejudge._describe_job(None, {"on": DAY, "before": None, "full": False}).folder is None


@pytest.mark.parametrize(
    ("words", "word"),
    [
        ((), "-o"),
        (("-o", "results", "--dry-run"), "--dry-run"),
        (("-o", "results", "--jobs", "0"), "--jobs"),
        (("-o", "results", "--jobs", "257"), "--jobs"),
        (("-o", "results", "--jobs", "2", "--dask", "127.0.0.1:1"), "--jobs"),
        (("-o", "results", "--game", "optcg", "--region", "moon"), "--region"),
        (("-o", "results", "--game", "optcg"), "missing.parquet"),
        (("-o", "results", "--before", "soon"), "--before"),
    ],
)
def test_options_that_cannot_be_used_are_refused(tmp_path, monkeypatch, words, word):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, ["rejudge", "missing.parquet", *words])
    assert (done.exit_code, done.stdout, word in done.stderr) == (2, "", True)
    assert not (tmp_path / "results").exists()
