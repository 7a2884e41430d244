"""Who may ask, how often, and with which secret."""
