"""Effective settings: the value and the source of each setting, and environment variables that no setting reads.

Used by `deckproof settings`, and by `serve` and `worker` for their warnings.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import NamedTuple

from api.service.settings import SECRETS, Settings, default_text, read_variables, variable_name
from validator.language import ENGLISH, Language

_log = logging.getLogger(__name__)

ENVIRONMENT, DEFAULT = "environment", "default"
_MASK = "********"
_OTHER_VARIABLES = frozenset({"DECKPROOF_LANG"})  # the option --lang reads it
_OF_TESTS = "DECKPROOF_TEST_"
_SIMILAR = 0.8  # of two names, from 0 to 1
_PASSWORD = re.compile(r"(://[^:/?#]*:).*@")
_PARAMETER = re.compile(r"([?&][^?&=]{1,64}=)[^&]*")


class EffectiveSetting(NamedTuple):
    """A setting as this environment sets it, named by its environment `variable`.

    `value` is its text, with secrets masked ("" without a value). `source` is ENVIRONMENT if the variable is set and
    not blank, else DEFAULT. If the value is unusable or the setting was removed, `value` is None and `problem` is the
    reason as a sentence.
    """

    variable: str
    value: str | None
    source: str
    problem: str | None = None


class UnknownVariable(NamedTuple):
    """An environment variable that looks like a setting and is none. As a string it is the English warning.

    `suggestion` is the variable of the setting with the most similar name, None if no name is similar.
    """

    variable: str
    suggestion: str | None

    def __str__(self) -> str:
        return self.describe(ENGLISH)

    def describe(self, translate: Language) -> str:
        """Return a sentence in a language: the variable is no setting, and the suggestion or the advice to unset it."""
        if self.suggestion:
            return translate(
                "{variable} is no setting. Did you mean {name}?", variable=self.variable, name=self.suggestion
            )
        return translate("{variable} is no setting. Unset it: `deckproof settings` lists all.", variable=self.variable)


def effective_settings(environment: Mapping[str, str] = os.environ) -> list[EffectiveSetting]:
    """Return each setting in the order of Settings, then each setting of earlier versions that is still set.

    Keys are masked, and so are passwords in addresses. Unusable values raise no error: `problem` has the reason.
    """
    values, problems = read_variables(environment)
    settings = Settings(**values)
    computed = {"database_url": settings.database, "data_dir": str(settings.data_dir)}
    found = []
    for setting in fields(Settings):
        variable = variable_name(setting.name)
        written = environment.get(variable, "").strip()
        text = written or computed.get(setting.name) or default_text(setting.default)
        problem = problems.pop(variable, None)
        value = None if problem else _mask_secrets(setting.name, text)
        found.append(EffectiveSetting(variable, value, ENVIRONMENT if written else DEFAULT, problem))
    return found + [EffectiveSetting(name, None, ENVIRONMENT, problem) for name, problem in problems.items()]


def _mask_secrets(name: str, text: str) -> str:
    """Return the text of a setting with its secrets masked by asterisks. `name` is the field of Settings.

    A key in SECRETS is masked completely. In an address in SECRETS only the password and the values of parameters with
    "pass" in their name are. Other settings and "" are returned unchanged.
    """
    if name not in SECRETS or not text:
        return text
    if not name.endswith("_url"):
        return _MASK
    return _PARAMETER.sub(_mask_password, _PASSWORD.sub(rf"\1{_MASK}@", text))


def _mask_password(parameter: re.Match[str]) -> str:
    """Return a parameter of an address (`?name=value`). Its value is masked if its name contains "pass" in any case."""
    return f"{parameter[1]}{_MASK}" if "pass" in parameter[1].lower() else parameter[0]


def unknown_variables(environment: Mapping[str, str] = os.environ) -> Iterator[UnknownVariable]:
    """Yield environment variables that look like a misspelled setting, sorted by name.

    A variable is yielded if it begins with "DECKPROOF_", or if it begins with "DECK" in any case and is similar to a
    setting. Settings, settings of earlier versions, DECKPROOF_LANG and DECKPROOF_TEST_ variables are skipped.
    """
    known = [variable_name(setting.name) for setting in fields(Settings)]
    removed_or_known = {found.variable for found in effective_settings(environment)} | _OTHER_VARIABLES
    for name in sorted(environment):
        if name in removed_or_known or not name.upper().startswith("DECK") or name.startswith(_OF_TESTS):
            continue
        similar = get_close_matches(name.upper(), known, 1, _SIMILAR)
        if similar or name.startswith("DECKPROOF_"):
            yield UnknownVariable(name, similar[0] if similar else None)


def log_unknown_variables() -> None:
    """Log a warning for each variable of this process's environment that `unknown_variables` yields."""
    for variable in unknown_variables():
        _log.warning("%s", variable)
