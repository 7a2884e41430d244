"""The engine: search, evaluation, levels and analysis, written once for every game."""
