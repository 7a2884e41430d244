"""Ways to other programs: those that learn or speak UGI, bots, notebooks, clients of a server."""
