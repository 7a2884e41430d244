"""What a player learns from: lessons and their judge, remarks, the turning point, reviews."""
