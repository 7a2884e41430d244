"""The log: a line of text or a JSON object for each entry, without what is secret."""

from __future__ import annotations

import datetime
import json
import logging
import re
import sys
from typing import Any, Final, Literal

LogStyle = Literal["text", "json"]
TEXT_FORMAT: Final = "%(asctime)s %(levelname)s %(message)s"
SEVERAL_FORMAT: Final = "%(asctime)s [%(process)d] %(levelname)s %(message)s"
# What should not get into a log is never handed to it; should it ever be, it is left out.
SECRETS: Final = (
    (re.compile(r"#[\w-]{16,}"), "#…"),  # behind the # of a link
    (re.compile(r"(?i)\b(bearer) [^\s'\"]+"), r"\1 …"),
    (re.compile(r"(://[^\s:/@]*):[^\s/@]*@"), r"\1:…@"),  # the password of a database
)
FIELDS: Final = "fields"  # of a log entry: what its JSON says beside the message


def without_secrets(text: str) -> str:
    """A text without what looks like a secret."""
    for pattern, instead in SECRETS:
        text = pattern.sub(instead, text)
    return text


class TextFormatter(logging.Formatter):
    """A line for people."""

    def format(self, record: logging.LogRecord) -> str:
        """The entry as text."""
        return without_secrets(super().format(record))


class JsonFormatter(logging.Formatter):
    """One JSON object a line, for programs."""

    def format(self, record: logging.LogRecord) -> str:
        """The entry as JSON."""
        time = datetime.datetime.fromtimestamp(record.created, datetime.UTC)
        entry: dict[str, Any] = {
            "time": time.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
        }
        if fields := getattr(record, FIELDS, None):
            entry |= fields
        else:
            entry["message"] = without_secrets(record.getMessage())
        if record.exc_info:
            entry["exception"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(entry, ensure_ascii=False)


def configure_logging(verbose: bool, style: LogStyle = "text", several: bool = False) -> None:
    """Let the log go to standard error; `several` processes are told apart."""
    handler = logging.StreamHandler(sys.stderr)
    text = TextFormatter(SEVERAL_FORMAT if several else TEXT_FORMAT)
    handler.setFormatter(JsonFormatter() if style == "json" else text)
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, handlers=[handler])
