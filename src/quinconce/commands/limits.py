"""The limits of a server as a host sets them: by options, or in the environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from quinconce.core.option import parse_number, parse_options
from quinconce.core.phrase import _, quote

if TYPE_CHECKING:
    from quinconce.server.settings import ServerLimits

PREFIX: Final = "QUINCONCE_LIMIT_"  # of the variable for a limit, whose name follows in capitals
LARGEST: Final = 10**9


def parse_limits(options: Sequence[str], environment: Mapping[str, str]) -> ServerLimits:
    """The limits, each from `key=value`, else from its variable, else as it is by default.

    ValueError if there is no such limit, or its value is not a number.
    """
    from quinconce.server.settings import ServerLimits

    given = {
        name.removeprefix(PREFIX).lower(): value
        for name, value in environment.items()
        if name.startswith(PREFIX) and value
    }
    given |= parse_options(options)
    known = ServerLimits.__struct_fields__
    for name in given:
        if name not in known:
            raise ValueError(
                _(
                    "there is no limit {name}: choose among {known}",
                    name=quote(name),
                    known=", ".join(known),
                )
            )
    return ServerLimits(**{name: parse_limit(name, text) for name, text in given.items()})


def parse_limit(name: str, text: str) -> int:
    """The value of a limit; ValueError if it is none."""
    value = parse_number(text)
    if value is None or not 1 <= value <= LARGEST:
        raise ValueError(
            _(
                "the limit {name} is a number from 1 to {last}, not {wrong}",
                name=name,
                last=str(LARGEST),
                wrong=quote(text),
            )
        )
    return value
