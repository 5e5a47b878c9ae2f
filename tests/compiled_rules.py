"""Routes for tests: each is compiled once for all applications of a process.

To compile them takes nine tenths of the time in which an application is made. `tests/conftest.py` calls this module.
"""

from __future__ import annotations

from typing import Any, ClassVar

from werkzeug.routing import Rule


class CompiledRule(Rule):
    """A route that copies what an equal route of an earlier application has compiled."""

    compiled: ClassVar[dict[tuple[object, ...], dict[str, Any]]] = {}

    def compile(self) -> None:
        """Compile the route, or copy what compiling an equal one has set."""
        key = self._describe()
        if key not in self.compiled:
            before = dict(vars(self))
            super().compile()
            changed = {name: value for name, value in vars(self).items() if before.get(name) is not value}
            self.compiled[key] = changed | {"arguments": self.arguments}
        vars(self).update(self.compiled[key])

    def _describe(self) -> tuple[object, ...]:
        """Return everything that a compiled route depends on."""
        converters = frozenset(self.map.converters.items())
        slashes = self.strict_slashes, self.merge_slashes
        defaults = repr(self.defaults), self.map.host_matching, self.map.sort_parameters
        return (self.rule, self.endpoint, self.host, self.subdomain, converters, *slashes, *defaults)
