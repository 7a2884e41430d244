"""The packages that a bridge leads to: each comes with an extra, which a missing one names."""

from __future__ import annotations

from quinconce.core.phrase import _


def missing_extra(error: ImportError, extra: str) -> ImportError:
    """The error that says in one line how to install what a bridge needs."""
    return ImportError(
        _(
            "{package} is not installed: pip install 'quinconce[{extra}]'",
            package=error.name.partition(".")[0] if error.name else str(error),
            extra=extra,
        ),
        name=error.name,
    )
