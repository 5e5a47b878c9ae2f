"""`deckproof worker`: what is done later, and every night."""

from __future__ import annotations

import click


@click.command()
@click.option("--beside", type=int, metavar="PID", hidden=True, help="End when this parent process has ended.")
def command(beside: int | None) -> None:
    """Run waiting jobs, and sync card lists at night.

    `deckproof serve` runs a worker itself if there is no other. Run more workers, here or on other machines, for more
    jobs at a time. SIGTERM and SIGINT end the worker in good order: another worker repeats a job that was not finished
    in a few seconds.
    """
    import logging

    from api.jobs.worker import JobWorker
    from api.service.effective_settings import log_unknown_variables
    from api.service.logs import LogThrottle, configure_logs
    from api.service.settings import Settings

    settings = Settings.from_environment()
    configure_logs(settings)
    if beside is None:  # else the server has warned
        log_unknown_variables()
    logging.getLogger("urllib3").setLevel(logging.ERROR)  # a sync that fails says itself why
    for handler in logging.getLogger().handlers:
        handler.addFilter(LogThrottle("huey.consumer"))  # a queue that is away is looked into again and again
    JobWorker(settings).run(beside)
