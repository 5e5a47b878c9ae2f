"""A task: judge the decks of a spreadsheet, in the request itself or in a job."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, TypedDict

from api.service.judges import Judges
from api.service.languages import LANGUAGES, language
from api.service.requests import RequestedTerms
from api.sheets.registration import Event
from api.workbooks import checking
from api.workbooks.checking import Reading, Wanted
from api.workbooks.intake.grids import SizeBudget
from api.workbooks.reporting.results import Progress, Results, ignore_progress
from validator.language import ENGLISH, Language


class TaskJSON(TypedDict, total=False):
    """A task as it is stored with its job. A cancelled job has an empty task.

    `asked` and `wanted` have the fields of `RequestedTerms` and `Wanted` as written by any release of deckproof, days
    as ISO texts. Terms that are None are left out. `name` is the file name. `choices` is as in Task. Old tasks may lack
    it, and the `event` in `wanted`.
    """

    name: str
    asked: Mapping[str, Any]
    wanted: Mapping[str, Any]
    choices: Mapping[str, str]


def results_language(task: TaskJSON) -> Language:
    """Return the language of the results of a stored task. English if the task has no language or an unknown one."""
    code = task.get("wanted", {}).get("lang")
    return language(code) if code in LANGUAGES else ENGLISH


@dataclass(frozen=True, slots=True)
class Task:
    """A spreadsheet whose decks are to be judged, without its content. `name` is the file name.

    `choices` has the heading or the letters of a column that a user chose for a role, by the keys of CHOICES
    ("player_column"). `asked` are the terms, with a day. `wanted` describes the results file: its kind, its language
    and the event.
    """

    name: str
    asked: RequestedTerms
    wanted: Wanted = field(default_factory=Wanted)
    choices: Mapping[str, str] = field(default_factory=dict)

    @property
    def file_name(self) -> str:
        """The name of the results file: `decks.csv` → `decks-results.xlsx`."""
        return f"{Path(self.name).stem}-results.{self.wanted.kind}"

    def read(self, data: bytes, judges: Judges, budget: SizeBudget | None = None) -> Reading:
        """Parse the spreadsheet `data` and return its decks, not judged yet. Raises the errors of `checking.read`.

        `budget` limits the text and the decks. None means that only the fixed limits for every file hold.
        """
        return checking.read(data, self.name, judges, self.asked, budget, self.choices)

    def run(
        self,
        data: bytes,
        judges: Judges,
        target: Path,
        progress: Progress = ignore_progress,
        budget: SizeBudget | None = None,
    ) -> Results:
        """Judge the decks of the spreadsheet `data`, write the results file to `target`, and return the results.

        `progress` is called with the numbers of done and of all steps. `budget` limits the text, the decks and the
        findings. None means that only the fixed limits for every file hold. Raises the errors of `checking.read` and
        `checking.finish`.
        """
        return checking.finish(self.read(data, judges, budget), target, self.wanted, progress, budget)

    def as_json(self) -> TaskJSON:
        """Return the task as JSON that `of_json` reads. Days are ISO texts, and terms that are None are left out."""
        asked = {key: value for key, value in self.asked._asdict().items() if value is not None}
        if self.asked.on is not None:
            asked["on"] = self.asked.on.isoformat()
        wanted = self.wanted._asdict() | {"event": self.wanted.event._asdict()}
        return {"name": self.name, "asked": asked, "wanted": wanted, "choices": dict(self.choices)}

    @classmethod
    def of_json(cls, data: TaskJSON) -> Task:
        """Return the task that `as_json` wrote. Raises KeyError for the empty task of a cancelled job."""
        asked = dict(data["asked"])
        if "on" in asked:
            asked["on"] = date.fromisoformat(asked["on"])
        wanted = {**data["wanted"], "event": Event(**data["wanted"].get("event", {}))}
        return cls(data["name"], RequestedTerms(**asked), Wanted(**wanted), data.get("choices", {}))
