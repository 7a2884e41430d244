"""What is known of the games: asked of the solvers and the engine, kept as data, told as a page."""
