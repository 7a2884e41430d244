"""Studies: boards with trees of variations that are kept on the server."""
