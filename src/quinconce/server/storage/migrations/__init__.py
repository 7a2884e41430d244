"""The steps that bring a database of an older version up to date."""
