"""The text of a certificate: what is not one is refused, with the line."""

from __future__ import annotations

import pytest
from certificate_texts import proved, refusal, sealed


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("certificate 1", "certificate 2", "this program reads"),
        ('[Game "diam"]\n', "", "Game is missing"),
        ("diam", "dame", "no game"),
        ("edition=2003", "edition=1000", "edition"),
        ('[Winners "1"]', '[Winners "0+1"]', "win together"),
        ('[Within "10"]', '[Within "0"]', "plies"),
        ('[Within "10"]', '[Within "401"]', "plies"),
        ('[Rules "1"]', '[Rules "9"]', "Rules"),
        ('[Rules "1"]', '[Author "me"]', "cannot be a header"),
        ('[Rules "1"]', "", "missing"),
        ("turn=0", "turn=7", "Position"),
        ("\n\n", "\n\n\n", "not a position and a move"),
        ("\n\n", "\n\nx y\n", "line 10"),
        ("\n\n", "\n\n/////// m@1 m@1\n", "line 10"),
    ],
)
def test_what_is_not_a_certificate_is_refused(old: str, new: str, why: str) -> None:
    text = proved()[1]
    assert old in text
    assert why in refusal(sealed(text.replace(old, new, 1)))
