"""`deckproof worker`: what is done later, and every night."""

from __future__ import annotations

import click


@click.command()
@click.option("--beside", type=int, metavar="PID", hidden=True, help="End when this parent process has ended.")
def command(beside: int | None) -> None:
    """Do the jobs that wait, and sync card lists at night.

    `deckproof serve` runs a worker itself while there is no other; run more of them, here or on other
    machines, to have more done at a time. Ends in good order on SIGTERM and SIGINT: what cannot be
    finished in a few seconds is begun anew by the next worker.
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
