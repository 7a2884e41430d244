"""How a database of an older house becomes one of this."""
