"""An extension of Griffe, which reads docstrings for the site: examples become blocks of code."""

from __future__ import annotations

import re

from griffe import Extension, Object

EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.M)


class Examples(Extension):
    """Fences what an interpreter would show."""

    def on_object(self, *, obj: Object, **_others: object) -> None:
        """Griffe calls this for everything that it has read."""
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)
