"""The one door to engines, tables and proofs, and all who ask there."""
