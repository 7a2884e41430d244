"""Matches played over the network: their events, clocks, seats and engines; no HTTP."""
