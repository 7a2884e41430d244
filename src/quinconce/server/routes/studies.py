"""The routes of studies: boards with variations, kept on the server."""

from __future__ import annotations

from typing import Annotated, Any, Final

from litestar import Response, delete, get, post, put
from litestar.params import JSONBody, PathParameter

from quinconce.core.record import Record
from quinconce.server.answers.reviews import attachment_header
from quinconce.server.answers.studies import (
    StudyChange,
    StudyEditLink,
    StudyLinks,
    StudySecret,
    StudyVersion,
    StudyView,
    find_board,
    sent_secret,
    study_links,
    study_view,
)
from quinconce.server.answers.studies import study_page as study_page_of
from quinconce.server.language import negotiate_voice
from quinconce.server.off_loop import run_brief
from quinconce.server.routes.common import (
    POST_ERRORS,
    AnyRequest,
    LanguageQuery,
    PathText,
    ServicesDep,
    error_responses,
    link_base,
    page_response,
    secret_expected,
)
from quinconce.server.routes.table import charge, run_charged
from quinconce.server.security.middleware import client_address
from quinconce.server.security.secrets import MATCH_ID_LENGTH, link_reach
from quinconce.server.services import Services
from quinconce.server.studies.studies import check_study_secret, stored_content
from quinconce.server.studies.study import StudyContent

StudyId = Annotated[
    str,
    PathParameter(
        description="The name of the study, as in its links.",
        pattern=f"^[A-Za-z0-9]{{{MATCH_ID_LENGTH}}}$",
    ),
]
BoardNumber = Annotated[int, PathParameter(description="The number of the board, from 0.", ge=0)]


@post(
    "/api/studies",
    responses=error_responses(*POST_ERRORS),
    tags=["studies"],
    operation_id="makeStudy",
)
async def make_study(
    data: JSONBody[StudyContent],
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
) -> StudyLinks:
    """Keep boards with their variations as a study."""
    await services.rate_limits.check_new_study(client_address(request))
    charge(services, request, "moves_per_minute", data.moves)
    made = await services.studies.create(data, client_address(request))
    return study_links(made, link_base(request, services.settings))


@get(
    "/api/studies/{study:str}",
    responses=error_responses(401),
    tags=["studies"],
    operation_id="readStudy",
)
async def read_study(
    study: StudyId, request: AnyRequest, services: ServicesDep, language: LanguageQuery
) -> StudyView:
    """A study; everybody who knows its name may read it, and its secret says who may change it."""
    row = await services.studies.read(study)
    editable = "authorization" in request.headers
    if editable:
        with secret_expected(services, request, study):
            check_study_secret(row, sent_secret(request))
    return study_view(row, editable)


@put(
    "/api/studies/{study:str}",
    responses=error_responses(409, *POST_ERRORS),
    tags=["studies"],
    operation_id="changeStudy",
)
async def change_study(
    study: StudyId,
    data: JSONBody[StudyChange],
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
) -> StudyVersion:
    """Write a study anew, with its secret as the token; 409 if it was changed since `version`."""
    content = StudyContent(data.boards, data.title)
    charge(services, request, "moves_per_minute", content.moves)
    token, address = sent_secret(request), client_address(request)
    with secret_expected(services, request, study):
        version = await services.studies.change(study, token, data.version, content, address)
    return StudyVersion(version)


@put(
    "/api/studies/{study:str}/secret",
    responses=error_responses(*POST_ERRORS),
    tags=["studies"],
    operation_id="replaceStudySecret",
)
async def replace_study_secret(
    study: StudyId,
    data: JSONBody[StudySecret],
    request: AnyRequest,
    services: ServicesDep,
    language: LanguageQuery,
) -> StudyEditLink:
    """Let a new secret change a study in place of the one that is sent as the token."""
    token = sent_secret(request)
    with secret_expected(services, request, study):
        await services.studies.replace_secret(study, token, data.secret)
    base = link_base(request, services.settings)
    return StudyEditLink(f"{base}/study/{study}#{data.secret}", link_reach(base))


@delete(
    "/api/studies/{study:str}",
    responses=error_responses(401, 403, 507),
    tags=["studies"],
    operation_id="deleteStudy",
)
async def delete_study(
    study: StudyId, request: AnyRequest, services: ServicesDep, language: LanguageQuery
) -> None:
    """Delete a study, with its secret as the token."""
    token = sent_secret(request)
    with secret_expected(services, request, study):
        await services.studies.delete(study, token)


@get(
    "/api/studies/{study:str}/boards/{board:int}/record",
    media_type="text/plain",
    responses=error_responses(),
    tags=["studies"],
    operation_id="readStudyRecord",
)
async def study_record(
    study: StudyId, board: BoardNumber, request: AnyRequest, services: ServicesDep
) -> Response[str]:
    """A board of a study as a record with variations, to save."""
    sheet = await board_record(services, request, study, board)
    headers = attachment_header(sheet, f"{study}-{board + 1}", "quinconce")
    return Response(await run_brief(sheet.text), headers=headers)


@get(
    "/api/studies/{study:str}/boards/{board:int}/record.json",
    responses=error_responses(),
    tags=["studies"],
    operation_id="readStudyRecordAsJson",
)
async def study_record_json(
    study: StudyId, board: BoardNumber, request: AnyRequest, services: ServicesDep
) -> Response[dict[str, Any]]:
    """The same as the record's JSON twin."""
    sheet = await board_record(services, request, study, board)
    headers = attachment_header(sheet, f"{study}-{board + 1}", "json")
    return Response(await run_brief(sheet.json), headers=headers)


async def board_record(services: Services, request: AnyRequest, study: str, board: int) -> Record:
    """A board of a study as a record; StudyNotFoundError if there is none."""
    said = stored_content(await services.studies.read(study))
    wanted = find_board(said, board)
    moves = len(wanted.nodes)
    return await run_charged(services, request, moves, wanted.record, said.title)


@get("/study/{study:str}", include_in_schema=False)
async def study_page(study: PathText, request: AnyRequest, services: ServicesDep) -> Response[str]:
    """A study to read, and to change for who has its secret in the address."""
    said = stored_content(await services.studies.read(study))
    return page_response(request, study_page_of(said.title, negotiate_voice(request)))


ROUTES: Final = (
    study_page,
    make_study,
    read_study,
    change_study,
    replace_study_secret,
    delete_study,
    study_record,
    study_record_json,
)
