"""The page of the API in a browser: it is fit for everybody, light and dark, also with an operation opened."""

import pytest

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("setting", ["phone", "desk, dark"])
def test_the_interface_has_no_violation(visits, setting):
    visitor = visits("/docs", setting)
    visitor.page.wait_for_selector("#operations-validation-validateDeck")
    assert visitor.page.locator("main").count() == 1
    assert visitor.violations() == []


def test_an_operation_opens_by_its_button(visits):
    page = visits("/docs").page
    operation = page.locator("#operations-validation-validateDeck")
    operation.locator("button.opblock-summary-control").click()
    operation.locator(".opblock-body").wait_for()
    assert operation.get_by_role("button", name="Execute").is_visible()
