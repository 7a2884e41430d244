"""What is known of the games: questions to the solvers and the engine, answers as data, a page."""
