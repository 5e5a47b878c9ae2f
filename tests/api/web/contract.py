"""The contract: every request that the OpenAPI document allows, and many that it does not, are answered as it says.

A run sends the same few thousand requests every time; `pytest --hypothesis-profile=long tests/api/web/test_contract*`
sends many that no run has sent before. The operations are tested in parts, each a file for a process of its own.

The functions import schemathesis, because the import takes a second or two of each process that finds the tests.
"""

from __future__ import annotations

from hypothesis import settings

from api.sheets.sheet_files import KINDS
from api.web.bodies import NDJSON

PARTS = {
    "decks": r"^/v1/(validate|repair|swaps|timeline|odds)",
    "files": r"^/v1/(sheets|workbooks)",
    "events": r"^/v1/events",
}
# What no schema says: which words are known, and which entries go with each other.
RELATED = (
    "/ruleset",
    "/game",
    "/format",
    "/region",
    "/timezone",
    "/policy",
    "/player",
    "/player_id",
    "/email",
    "/file",
    "/limits_list",
)
# What only the deck itself tells, and the day up to which anything is known.
BY_PATH = {
    "/v1/validate": ("/on", "/best_of", "/explain", "/summary"),  # in the query, beside JSON: they go with a plain text
    "/v1/validate/team": ("/decks",),  # two of one name
    "/v1/repair": ("/pinned",),  # of a deck that has no such card
    "/v1/odds": ("/deck", "/decklist", "/wishes", "/look", "/targets", "/searcher", "/life"),
    "/v1/timeline": ("/on", "/until"),
    "/v1/rulesets/{id}/differences": ("/against",),  # an edition, by any text that is one's id
    # Whoever is not registered, standings that nobody knows, moments that there are not, cards that nobody can print.
    "/v1/events/{id}/checks": ("/registration", "/draw", "/started", "/Idempotency-Key"),
    "/v1/events/{id}/checks/{cid}": ("/started", "/ended", "/infraction", "/tally", "/decklist"),
    "/v1/events/{id}": ("/name", "/on", "/timezone", "/opens", "/closes", "/visibility/public_from"),
    # Names that are nobody's, days that are years ahead, zones and moments that there are not, and a key that came with
    # another request.
    "/v1/events": ("/name", "/on", "/timezone", "/opens", "/closes", "/visibility/public_from", "/Idempotency-Key"),
}
# Whose fields stand in the form or in the query, each in one of them.
BOTH_WAYS = ("/v1/workbooks", "/v1/workbooks/columns")
ANY_TEXT = {}  # the checks to leave out by path; `described` adds them

FILES = ("text/csv", "application/csv", KINDS["xlsx"].media_type, "application/vnd.ms-excel")


def described(app):
    """Return what the application says of itself, and which answers that allows."""
    import schemathesis
    from schemathesis.specs.openapi.checks import negative_data_rejection

    ANY_TEXT["/v1/validate/batch"] = [negative_data_rejection]  # which lines are wrong is said line by line
    schemathesis.serializer(NDJSON, *FILES)(lambda _, value: value if isinstance(value, bytes) else str(value).encode())
    document = schemathesis.openapi.from_wsgi("/openapi.json", app)
    document.config.checks.positive_data_acceptance.expected_statuses = ["2xx", "404", "409", "422"]
    return document


def assert_kept(document, subtests):
    """Assert that every operation that is left of a document answers as it is documented."""
    from schemathesis.checks import load_all_checks
    from schemathesis.pytest.lazy import get_all_tests  # what its marks do as tests are found, here when they are run

    load_all_checks()
    few = settings(max_examples=settings.default.max_examples // 20)
    for built in get_all_tests(schema=document, test_func=answers, settings=few, given_kwargs={}):
        operation, test = built.ok()
        with subtests.test(operation.label):
            test()


def answers(case):
    answer = case.call(headers={"Accept-Encoding": "identity"})
    case.validate_response(answer, excluded_checks=ANY_TEXT.get(case.path))
    if case.method == "OPTIONS":  # of which the document says nothing: every path answers it
        return
    assert answer.status_code == 405 or str(answer.status_code) in case.operation.definition.raw["responses"]
    if answer.status_code == 422:
        assert pointed_out(case, answer)


def pointed_out(case, answer):
    """Whether a refusal names what is wrong, which is nothing that the document allows."""
    from schemathesis.generation import GenerationMode

    pointers = [one["pointer"] for one in answer.json()["errors"]]
    if case.meta.generation.mode == GenerationMode.POSITIVE and case.path not in BOTH_WAYS:
        return all(pointer.startswith(RELATED + BY_PATH.get(case.path, ())) for pointer in pointers)
    return pointers
