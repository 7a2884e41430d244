"""The games as numbers, compiled by Numba; each is proved by comparing it with the plain rules."""
