"""The games as numbers, compiled for two homes; each is compared with the plain rules."""
