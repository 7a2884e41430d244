"""The rules of the games, one file each, in plain Python: the reference for everything else."""
