"""Puzzles: positions with one move that wins, or saves; found, kept, and judged while solved."""
