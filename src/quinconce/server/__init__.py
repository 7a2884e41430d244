"""The server: matches that people and engines play over the network, kept in a database."""
