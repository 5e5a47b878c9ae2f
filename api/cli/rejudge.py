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
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from api.cli import LEGAL, MOST_SAID, UNUSABLE, CommandError, options

if TYPE_CHECKING:
    from api.rejudge.engines import Engine, Tried
    from api.rejudge.parts import Order
    from api.rejudge.shards import Shard

_NEEDS = {"pyarrow": "rejudge", "numpy": "rejudge", "distributed": "dask", "ray": "ray"}
_STOPS = (signal.SIGINT, signal.SIGTERM)


@click.command()
@click.argument("sources", metavar="IN...", nargs=-1, required=True)
@click.option("-o", "--output", "folder", metavar="FOLDER", help="The folder for the results.")
@options.terms
@click.option(
    "--before",
    "--changed-since",
    type=options.DayParam(),
    metavar="DATE",
    help="The day the decks were judged for before.",
)
@click.option("--full", is_flag=True, help="Judge every deck anew, whatever has changed.")
@click.option("--dry-run", is_flag=True, help="Only say how many decks would change; write nothing.")
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="So many processes.  [default: one a core]")
@click.option("--dask", metavar="ADDRESS", help="Do it on the cluster of this Dask scheduler.")
@click.option("--ray", metavar="ADDRESS", help="Do it on this Ray cluster.")
def command(sources: tuple[str, ...], folder: str | None, dry_run: bool, **given: Any) -> None:
    """Rejudge very many stored decks.

    IN are files of Parquet or NDJSON, or folders of them, with the columns `id` and `deck`, and where there are any
    `terms` and the verdict `stored` with the deck before. FOLDER then has a part for each shard of them, with a row
    for each row, and a manifest. What was ended goes on when the same is asked again.

    Ends with 0 when all is done, 2 when something cannot be used, 128 and more when it was told to stop.
    """
    if bool(folder) == dry_run:
        raise CommandError("Name a folder for the results with -o, or ask with --dry-run for none.")
    for module in filter(None, ("pyarrow", "numpy", given["dask"] and "distributed", given["ray"] and "ray")):
        if find_spec(module) is None:
            raise CommandError(f"This needs {module}: pip install 'deckproof[{_NEEDS[module]}]'.")
    from api.rejudge.shards import planned
    from api.service.errors import Unusable

    engine = _engine(given.pop("jobs"), given.pop("dask"), given.pop("ray"))
    try:
        shards = planned(sources)
        raise SystemExit(_run(_order(folder, given), shards, engine))
    except Unusable as error:
        raise CommandError(f"{error}.") from None


def _engine(jobs: int | None, dask: str | None, ray: str | None) -> Engine:
    from api.rejudge import engines

    if sum(map(bool, (jobs, dask, ray))) > 1:
        raise CommandError("Say one of --jobs, --dask and --ray.")
    if dask:
        return engines.DaskCluster(dask)
    return engines.RayCluster(ray) if ray else engines.Processes(jobs or len(os.sched_getaffinity(0)))


def _order(folder: str | None, given: dict[str, Any]) -> Order:
    """Return what is asked, with the day and the cards that hold for all who do it."""
    from api.rejudge.parts import Order
    from api.rejudge.rejudging import Question
    from api.service.judges import Judges, says_game
    from api.service.requests import Asked
    from api.service.settings import Settings
    from validator.differences import version
    from validator.games import GAMES

    before, full = given.pop("before"), given.pop("full")
    asked = Asked(**given | {"on": given["on"] or date.today()})
    library = options.library()
    with options.mistakes_told():
        if says_game(asked):
            Judges(library).judge(asked)
    snapshots = tuple((game, library.current(game)) for game in GAMES)
    target = str(Path(folder).absolute()) if folder else None
    database = Settings.from_environment().database
    return Order(Question(asked, before, full), database, snapshots, target, version())


def _run(order: Order, shards: list[Shard], engine: Engine) -> int:
    from api.rejudge.manifest import taken

    with taken(order, shards) as manifest, _stopping() as stopped, _progress(len(shards)) as tell:
        counts = manifest.finish(engine, lambda: bool(stopped), tell)
    _sum_up(order, counts)
    for shard, reason in list(manifest.aside.items())[:MOST_SAID]:
        click.echo(f"Set aside: {Path(shard.path).name}, from {shard.first} to {shard.end}: {reason}.", err=True)
    if len(manifest.aside) > MOST_SAID:
        click.echo(f"{len(manifest.aside):,} are set aside; the manifest has them all.", err=True)
    if not manifest.is_whole:
        click.echo("Stopped; the same command goes on.", err=True)
        return 128 + stopped[0]
    return UNUSABLE if manifest.aside else LEGAL


@contextmanager
def _stopping() -> Iterator[list[int]]:
    """Yield a list of the signals that have told this process to stop; what is begun is finished first."""
    stopped: list[int] = []
    before = {one: signal.signal(one, lambda number, _: stopped.append(number)) for one in _STOPS}
    try:
        yield stopped
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


@contextmanager
def _progress(shards: int) -> Iterator[Callable[[Tried], None]]:
    """Yield what to tell of each shard that is done: it draws a bar on a terminal, and does nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from api.cli.progress import pages

    done, decks, start = 0, 0, time.monotonic()
    with pages() as draw:

        def tell(outcome: Tried) -> None:
            nonlocal done, decks
            done += 1
            decks += outcome.receipt.counts["rows"] if outcome.receipt else 0
            draw(done, shards, f"{decks:,} decks, {decks / (time.monotonic() - start):,.0f}/s")

        yield tell


def _sum_up(order: Order, counts: Counter[str]) -> None:
    would = "would be" if order.folder is None else "are"
    parts = [f"{counts['no_more']:,} {would} legal no more", f"{counts['again']:,} {would} legal again"]
    parts += [f"{counts['legal']:,} legal", f"{counts['illegal']:,} not legal", f"{counts['unusable']:,} unusable"]
    click.echo(
        f"{counts['rows']:,} decks, {counts['concerned']:,} concerned by what has changed: {', '.join(parts)}.",
        err=True,
    )
