"""The HTTP interface keeps its paths, operation ids, parameters, fields and types."""

from __future__ import annotations

from typing import Any, Final

from golden.compare import compare_json

from quinconce.server.app import application
from quinconce.server.settings import Settings

# What is told to people may be told better, and a title is the name of a class.
PROSE: Final = ("title", "description", "summary")


def resolve(node: Any, components: dict[str, Any], within: tuple[str, ...] = ()) -> Any:
    """A part of the document with each reference replaced by what it names.

    A schema that contains itself says how many references up the circle closes.
    """
    if isinstance(node, list):
        return [resolve(part, components, within) for part in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        name = node["$ref"]
        if name in within:
            return {"recursion": len(within) - within.index(name)}
        kind = name.rsplit("/", 2)[1]
        return resolve(components[kind][name.rsplit("/", 1)[1]], components, (*within, name))
    return {
        key: (
            {field: resolve(schema, components, within) for field, schema in part.items()}
            if key == "properties"  # a field may be called like a keyword
            else resolve(part, components, within)
        )
        for key, part in node.items()
        if key not in PROSE
    }


def test_the_interface_keeps_its_paths_fields_and_types() -> None:
    document = application(Settings(database="sqlite://")).openapi_schema.to_schema()
    assert document["openapi"].startswith("3.")
    compare_json("openapi.json", resolve(document["paths"], document["components"]))


def test_a_schema_that_contains_itself_is_resolved() -> None:
    schema = {"properties": {"next": {"$ref": "#/components/schemas/A"}, "title": {}}, "title": "A"}
    found = resolve({"$ref": "#/components/schemas/A"}, {"schemas": {"A": schema}})
    assert found == {"properties": {"next": {"recursion": 1}, "title": {}}}
