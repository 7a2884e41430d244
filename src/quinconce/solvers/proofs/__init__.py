"""A win is proved within a number of plies, written down as a certificate, and checked."""
