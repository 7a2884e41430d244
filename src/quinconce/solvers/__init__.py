"""What can be known for certain: games solved backwards, wins proved, proofs anybody can check."""
