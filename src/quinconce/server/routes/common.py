"""What all routes share: how they are described, and the shapes of their answers and refusals."""

from __future__ import annotations

from collections.abc import Callable
from inspect import isawaitable
from typing import Annotated, Final

from litestar.background_tasks import BackgroundTask
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import PathParameter, QueryParameter
from msgspec import UNSET, Struct, UnsetType

from quinconce.server.matches.seats import ID_LENGTH
from quinconce.server.services import House

MatchId = Annotated[
    str,
    PathParameter(
        description="The name of the match, as in its links.",
        pattern=f"^[A-Za-z0-9]{{{ID_LENGTH}}}$",
    ),
]
TheHouse = NamedDependency[House]
Language = Annotated[
    str | None,
    QueryParameter(name="lang", required=False, description="The language to answer in: en or fr."),
]


class Fault(Struct, frozen=True):
    """Why something was refused: a sentence for people, a code for programs."""

    error: str
    code: str
    detail: str | UnsetType = UNSET
    seq: int | UnsetType = UNSET
    position: str | UnsetType = UNSET


def faults(*more: int) -> dict[int, ResponseSpec]:
    """The refusals of a route, as OpenAPI describes them."""
    meanings = {
        400: "The request cannot be understood.",
        401: "The token is wrong.",
        403: "Not yours, or not from a page of this house.",
        404: "There is nothing of this name.",
        409: "Stale: the match has gone on. Or it is not your turn.",
        413: "Too large, or too long.",
        415: "Not JSON.",
        421: "This house does not go by that name.",
        422: "The rules, or the state of the match, do not allow it.",
        429: "Too many: wait as long as Retry-After says.",
        503: "No engine, or it does not answer.",
    }
    statuses = (400, 404, 421, 429, *more)
    return {
        status: ResponseSpec(Fault, description=meanings[status], generate_examples=False)
        for status in statuses
    }


POSTED: Final = (401, 403, 413, 415, 422)


def then(do: Callable[..., object], *arguments: object) -> BackgroundTask:
    """What is done once the answer has been sent: here, and not in a thread."""

    async def later() -> None:
        result = do(*arguments)
        if isawaitable(result):
            await result

    return BackgroundTask(later)
