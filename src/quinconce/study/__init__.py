"""What a player learns from: lessons, and the judge of the moves tried in them."""
