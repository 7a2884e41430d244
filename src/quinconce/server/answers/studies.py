"""Studies: boards with variations, as they are sent and told."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from quinconce.core.phrase import _
from quinconce.server.answers.analysis import menu_editions
from quinconce.server.answers.common import Page
from quinconce.server.refusals import StudyNotFoundError, TokenError
from quinconce.server.request import IncomingRequest
from quinconce.server.security.auth import bearer_token
from quinconce.server.security.secrets import SECRET_PATTERN, Reach, link_reach
from quinconce.server.studies.studies import NewStudy, StudyRow, stored_content
from quinconce.server.studies.study import StudyBoard, StudyContent, Title
from quinconce.words import Voice


class StudyChange(Struct, frozen=True, forbid_unknown_fields=True):
    """What a study shall say from now on, and the version that its editor has seen."""

    version: Annotated[int, Meta(ge=1)]
    boards: Annotated[list[StudyBoard], Meta(min_length=1, max_length=1000)]
    title: Title = ""


class StudyLinks(Struct, frozen=True):
    """A new study: its public link, and the secret one by which it is changed, told only now."""

    id: str
    version: int
    secret: str
    link: str
    edit_link: str
    reach: Reach


class StudySecret(Struct, frozen=True, forbid_unknown_fields=True):
    """A new secret: 128 bits that nobody can guess, as 22 characters of URL-safe Base64.

    Who sends it makes it, so that an answer that is lost does not take it along.
    """

    secret: Annotated[str, Meta(pattern=f"^{SECRET_PATTERN.pattern}$", max_length=22)]


class StudyEditLink(Struct, frozen=True):
    """The link by which a study is changed from now on."""

    edit_link: str
    reach: Reach


class StudyVersion(Struct, frozen=True):
    """The version of a study after a change."""

    version: int


class StudyView(Struct, frozen=True):
    """A study, and whether the one who asks may change it."""

    id: str
    version: int
    title: str
    boards: list[StudyBoard]
    made: float
    changed: float
    editable: bool


def sent_secret(request: IncomingRequest) -> str:
    """The secret that was sent as the token; TokenError if there is none."""
    token = bearer_token(request)
    if token is None:
        raise TokenError(_("send the secret of the study as the token"))
    return token


def study_view(row: StudyRow, editable: bool) -> StudyView:
    """A study for somebody who may change it, or not."""
    said = stored_content(row)
    return StudyView(row.id, row.version, said.title, said.boards, row.made, row.changed, editable)


def study_links(made: NewStudy, base: str) -> StudyLinks:
    """The links of a study that was made."""
    link = f"{base}/study/{made.id}"
    return StudyLinks(made.id, 1, made.secret, link, f"{link}#{made.secret}", link_reach(base))


def find_board(said: StudyContent, board: int) -> StudyBoard:
    """A board of a study, counted from 0; StudyNotFoundError if it has none of this number."""
    if board >= len(said.boards):
        raise StudyNotFoundError(_("this study has no such board"))
    return said.boards[board]


def study_page(title: str, say: Voice) -> Page:
    """A study to read, and to change for who has its secret in the address."""
    return Page("study.html", {"faces": menu_editions(say), "title": title})
