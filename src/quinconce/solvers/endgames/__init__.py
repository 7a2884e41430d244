"""Endgame tables: positions with few pieces solved backwards, layer by layer, and kept in files."""
