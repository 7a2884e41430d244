"""Lets `python -m quinconce` do what the command `quinconce` does."""

from quinconce.cli import main

main()
