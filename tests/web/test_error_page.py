"""The page for an address where nothing is: what is wrong with this one, and ways on."""

from __future__ import annotations

import pytest
from browser_users import Visit, long
from playwright.sync_api import expect


@pytest.mark.parametrize(
    ("path", "locale", "why"),
    [
        *long([("/nothing", "en-GB", "There is no page at this address")]),
        *long([("/match", "en-GB", "There is no page at this address")]),
        ("/nothing", "fr-FR", "Il n’y a aucune page à cette adresse"),
        ("/game/chess", "en-GB", "There is no game of this name"),
    ],
)
def test_only_a_match_can_have_expired(path: str, locale: str, why: str, visit: Visit) -> None:
    visitor = visit(locale=locale)
    page = visitor.go(path)
    fault = page.locator(".fault")
    # Its first letter is a capital by the style sheet.
    assert why.casefold() in fault.inner_text().casefold()
    for word in ("match", "expired", "deleted", "partie"):
        assert word not in fault.inner_text().casefold()
    fault.get_by_role("link", name="Diam", exact=True).click()
    expect(page.locator("#setup")).to_be_visible()


def test_a_match_that_is_missing_may_have_expired(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/match/aaaaaaaaaaaa")
    expect(page.locator(".fault")).to_contain_text("deleted after a week")
    page.get_by_role("link", name="To the boards").click()
    expect(page).to_have_url(visitor.looks["base_url"] + "/")
