"""What a game, a match and a record are; imports nothing but the standard library."""
