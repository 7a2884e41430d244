"""The log: JSON objects or lines, and nothing secret in either."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from quinconce.server.log_format import FIELDS, JsonFormatter, TextFormatter

SECRET = "QR_sc9wNPmQUDRJenBDPww"


def entry(message: str, *values: object, **more: Any) -> logging.LogRecord:
    logger = logging.getLogger("quinconce.test")
    exception = more.pop("exception", None)
    info = (type(exception), exception, None) if exception else None
    return logger.makeRecord(
        logger.name, logging.WARNING, "", 1, message, values, info, extra=more or None
    )


def test_an_entry_is_one_object_on_one_line() -> None:
    line = JsonFormatter().format(entry("two\nlines of %s", "é", exception=OSError("no disk")))
    assert "\n" not in line
    told = json.loads(line)
    assert (told["level"], told["message"], told["logger"]) == (
        "warning",
        "two\nlines of é",
        "quinconce.test",
    )
    assert told["exception"] == "OSError: no disk"
    assert told["time"].endswith("+00:00")


def test_the_fields_of_a_request_take_the_place_of_its_message() -> None:
    fields = {"method": "GET", "path": "/api/matches/{match}", "status": 200, "milliseconds": 1.5}
    told = json.loads(JsonFormatter().format(entry("GET …", **{FIELDS: fields})))
    assert fields.items() <= told.items()
    assert "message" not in told


@pytest.mark.parametrize("formatter", [JsonFormatter(), TextFormatter("%(message)s")])
@pytest.mark.parametrize(
    "text",
    [
        f"http://localhost:8642/match/ZywHph4Es3d8#{SECRET}",
        f"Authorization: Bearer {SECRET}",
        f"'authorization': 'bearer {SECRET}'",
        f"postgresql://games:{SECRET}@db.example/games",
    ],
)
def test_what_looks_like_a_secret_is_left_out(formatter: logging.Formatter, text: str) -> None:
    told = formatter.format(entry("it says %s", text, exception=ValueError(text)))
    assert SECRET not in told
    assert "it says" in told
