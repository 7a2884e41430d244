"""Slips of paper to cut out, one for each seat of many matches: a QR code, the link, who plays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, Final

import segno

from quinconce.core.game import Game
from quinconce.core.phrase import _
from quinconce.server.matches.create import MatchLinks, SeatLink
from quinconce.words import Voice

HOW: Final = _("Scan the code, or type the address:")
STYLE: Final = """
body { margin: 0; font: 11pt/1.35 system-ui, sans-serif; color: #111; background: #fff; }
main { display: grid; grid-template-columns: repeat(2, 1fr); }
.slip { display: grid; grid-template-columns: 3.6cm 1fr; gap: 0.5cm; align-items: center;
  padding: 0.5cm; border: 1px dashed #777; margin: -1px 0 0 -1px; break-inside: avoid; }
.slip svg { width: 3.6cm; height: 3.6cm; }
h2, p { margin: 0; }
h2 { font: 600 13pt/1.3 Georgia, serif; }
.link { font-size: 8pt; overflow-wrap: anywhere; }
@page { size: A4; margin: 1cm; }
"""


def slips_page(matches: Sequence[MatchLinks], rules: Game[Any], say: Voice) -> str:
    """A page of HTML that stands alone: print it, and cut along the dashes."""
    title = escape(say(rules.title))
    slips = "".join(slip for match in matches for slip in match_slips(match, rules, say))
    return (
        f'<!doctype html>\n<html lang="{say.language}"><head><meta charset="utf-8">'
        f"<title>{title}</title><style>{STYLE}</style></head>\n<body><main>\n{slips}</main></body></html>\n"
    )


def match_slips(match: MatchLinks, rules: Game[Any], say: Voice) -> Iterator[str]:
    """A slip for each seat with a link."""
    names = [seat_words(seat, rules, say) for seat in match.seats]
    for seat in match.seats:
        if seat.link is None:
            continue
        others = ", ".join(name for n, name in enumerate(names) if n != seat.seat)
        with_others = _("With {others}", others=others)
        lines = (
            f"<h2>{escape(say(rules.title))}</h2>",
            f"<p><b>{escape(names[seat.seat])}</b></p>",
            f"<p>{escape(say(with_others))}</p>",
            f"<p>{escape(say(HOW))}</p>",
            f'<p class="link">{escape(seat.link)}</p>',
        )
        yield f'<section class="slip">{qr_code(seat.link)}<div>{"".join(lines)}</div></section>\n'


def seat_words(seat: SeatLink, rules: Game[Any], say: Voice) -> str:
    """Who plays in a seat, and with which pieces."""
    colours = say(rules.players[seat.seat])
    if seat.kind == "engine":
        return say(_("The engine ({colours})", colours=colours))
    if seat.name:
        return say(_("{name} ({colours})", name=seat.name, colours=colours))
    return say(_("Player {n} ({colours})", n=seat.seat + 1, colours=colours))


def qr_code(link: str) -> str:
    """A link as a QR code in SVG."""
    return segno.make_qr(link, error="m").svg_inline(omitsize=True)
