"""What people see and type in a terminal: the board, a match, tables, progress, prompts."""
