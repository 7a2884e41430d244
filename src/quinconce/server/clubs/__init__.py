"""What clubs and classes need: matches under a common tag."""
