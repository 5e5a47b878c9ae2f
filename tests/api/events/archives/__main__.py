"""Write the example archive of the newest version: `python -m tests.api.events.archives`.

Do it once for each version, when the version is new: the archives of earlier versions never change.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from api.events.storage.archive_rows import VERSION
from tests.api.events.archives import exported, filled
from tests.api.events.conftest import Clock, made

with TemporaryDirectory() as folder:
    app = made(Clock("2026-10-20T12:00+02:00"), data_dir=Path(folder))
    Path(__file__).with_name(f"version_{VERSION}.json").write_bytes(exported(app, filled(app)).data)
