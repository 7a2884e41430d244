"""What people see and type in a terminal: the board, the scenes of a match, tables, prompts."""
