"""The commands of `quinconce`, a file a family of commands."""
