"""`deckproof rejudge`: which of very many stored decks are legal no more."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

from api.cli import LEGAL, MOST_SAID, UNUSABLE, CommandError, options
from validator.errors import error_sentence
from validator.language import Language, phrase
from validator.words import join_with_commas

if TYPE_CHECKING:
    from api.rejudge.runs import Engine, Job, Outcome
    from api.rejudge.shards import Shard

_NEEDS = {"pyarrow": "rejudge", "numpy": "rejudge", "distributed": "dask"}
_STOPS = (signal.SIGINT, signal.SIGTERM)


@click.command()
@click.argument("sources", metavar="IN...", nargs=-1, required=True)
@click.option("-o", "--output", "folder", metavar="FOLDER", help="The folder for the results.")
@options.add_terms_options
@click.option(
    "--before",
    "--changed-since",
    type=options.DayParam(),
    metavar="DATE",
    help="The day of the earlier verdicts.",
)
@click.option("--full", is_flag=True, help="Judge every deck again, also if no change concerns it.")
@click.option("--dry-run", is_flag=True, help="Only count the decks that would change, and write nothing.")
@click.option(
    "--jobs", type=click.IntRange(1, 256), metavar="N", help="The number of processes.  [default: one per core]"
)
@click.option("--dask", metavar="ADDRESS", help="Use the cluster of this Dask scheduler.")
@options.LANG
def rejudge_command(
    sources: tuple[str, ...], folder: str | None, dry_run: bool, translate: Language, **option_values: Any
) -> None:
    """Rejudge many stored decks after a change of rules or lists.

    IN are files of Parquet or NDJSON, or folders of these, with the columns `id` and `deck`. They may have `terms`, and
    `stored` with the earlier verdict. FOLDER gets a part for each shard, with a row for each row, and a receipt for
    each part. The same command continues a run that was stopped. IN and FOLDER are local paths, or s3://BUCKET/… or
    gs://BUCKET/… in an object store.

    Exits with 0 if all is done, 2 if something cannot be used, 128 and more if a signal stopped the command.
    """
    if bool(folder) == dry_run:
        raise CommandError(phrase("Give a folder for the results with -o, or use --dry-run to write no results."))
    for module in filter(None, ("pyarrow", "numpy", option_values["dask"] and "distributed")):
        if find_spec(module) is None:
            extra = f"pip install 'deckproof[{_NEEDS[module]}]'"
            raise CommandError(phrase("This needs {module}: {command}.", module=module, command=extra))
    from api.rejudge.runs import begin_run
    from api.service.errors import Unusable

    try:
        engine = _choose_engine(option_values.pop("jobs"), option_values.pop("dask"))
        job = _describe_job(folder, option_values)
        raise SystemExit(_run_job(job, begin_run(job, sources, engine), engine, translate))
    except Unusable as error:
        raise CommandError(error_sentence(error)) from None


def _choose_engine(jobs: int | None, dask: str | None) -> Engine:
    """Return a Dask cluster at the address `dask`, else `jobs` processes on this machine (None: one per usable core).

    Raises CommandError if both options are given.
    """
    from api.rejudge.engines import DaskCluster, LocalProcesses

    if jobs and dask:
        raise CommandError(phrase("Use either --jobs or --dask, not both."))
    return DaskCluster(dask) if dask else LocalProcesses(jobs or len(os.sched_getaffinity(0)))


def _describe_job(folder: str | None, option_values: dict[str, Any]) -> Job:
    """Return the job that all processes of a run share: the terms, the ids of the current card data, and the folder.

    `folder` None writes no results. `option_values` has the options for terms, `before` (the day of the earlier
    verdicts) and `full`. Those two are removed from it. The default day is today. Raises CommandError for wrong terms
    if they name a game or ruleset. Other terms are checked later, for each deck.
    """
    from api.rejudge.locations import Location
    from api.rejudge.rejudging import Question
    from api.rejudge.runs import Job
    from api.service.judges import Judges, names_game
    from api.service.requests import RequestedTerms
    from validator.differences import version
    from validator.games import GAMES

    before, full = option_values.pop("before"), option_values.pop("full")
    asked = RequestedTerms(**option_values | {"on": option_values["on"] or date.today()})
    library = options.library()
    with options.name_options_in_errors():
        if names_game(asked):
            Judges(library).judge(asked)
    snapshots = tuple((game, library.current_ids(game)) for game in GAMES)
    target = Location.parse(folder) if folder else None
    return Job(Question(asked, before, full), options.settings().database, snapshots, target, version())


def _run_job(job: Job, shards: list[Shard], engine: Engine, translate: Language) -> int:
    """Rejudge the shards (parts of the stored decks), print the counts and return the exit code.

    It is LEGAL if all are done, UNUSABLE if some could not be read. Up to five of these are listed. After SIGINT or
    SIGTERM stopped the run, it is 128 plus the number of the signal.
    """
    from api.rejudge.runs import finish_run

    with _catch_stops() as stopped, _shard_progress(len(shards), translate) as report:
        outcomes = finish_run(job, shards, engine, lambda: bool(stopped), report)
    _print_deck_counts(job, sum((Counter(outcome.counts) for outcome in outcomes), Counter()), translate)
    aside = [outcome for outcome in outcomes if outcome.counts is None]
    for (location, first, end, _), _, reason in aside[:MOST_SAID]:
        values = {"file": location.name, "first": first, "last": end, "reason": translate.text(reason)}
        click.echo(translate("Set aside: {file}, from {first} to {last}: {reason}.", **values), err=True)
    if len(aside) > MOST_SAID:
        sentence = translate("{count:,} were not read. Their receipts have the reasons.", count=len(aside))
        click.echo(sentence, err=True)
    if len(outcomes) < len(shards):
        click.echo(translate("Stopped. Run the same command again to continue."), err=True)
        return 128 + stopped[0]
    return UNUSABLE if aside else LEGAL


@contextmanager
def _catch_stops() -> Iterator[list[int]]:
    """Yield a list to which the numbers of SIGINT and SIGTERM are appended when this process gets them.

    In the `with` block they do not end the process. The earlier handlers are restored at its end.
    """
    stopped: list[int] = []
    before = {number: signal.signal(number, lambda number, _: stopped.append(number)) for number in _STOPS}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _shard_progress(shards: int, translate: Language) -> Iterator[Callable[[Outcome], None]]:
    """Yield a function to call with the outcome of each finished shard. `shards` is the number of all shards.

    It moves a bar and shows the speed if standard error is a terminal. Else it does nothing.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from api.cli.progress import page_bar

    done, decks, start = 0, 0, time.monotonic()
    with page_bar() as draw:

        def report(outcome: Outcome) -> None:
            """Count a finished shard and its decks, and redraw the bar with the number of decks per second."""
            nonlocal done, decks
            done += 1
            decks += outcome.counts["rows"] if outcome.counts else 0
            speed = round(decks / (time.monotonic() - start))
            draw(done, shards, translate("{count:,} decks, {speed:,}/s", count=decks, speed=speed))

        yield report


def _print_deck_counts(job: Job, counts: Counter[str], translate: Language) -> None:
    """Print the numbers of decks by result in one sentence to standard error.

    The keys of `counts` are rows, concerned (by a change), no_more and again (legal no more, legal again), legal,
    illegal and unusable. A missing key counts as 0. For a dry run (no folder) the sentence is conditional.
    """
    if job.folder is None:
        parts = [
            translate("{count:,} would be legal no more", count=counts["no_more"]),
            translate("{count:,} would be legal again", count=counts["again"]),
        ]
    else:
        parts = [
            translate("{count:,} are legal no more", count=counts["no_more"]),
            translate("{count:,} are legal again", count=counts["again"]),
        ]
    parts += [
        translate("{count:,} legal", count=counts["legal"]),
        translate("{count:,} not legal", count=counts["illegal"]),
        translate("{count:,} unusable", count=counts["unusable"]),
    ]
    sentence = translate(
        "{count:,} decks, {concerned:,} concerned by what has changed: {parts}.",
        count=counts["rows"],
        concerned=counts["concerned"],
        parts=join_with_commas(parts, translate),
    )
    click.echo(sentence, err=True)
