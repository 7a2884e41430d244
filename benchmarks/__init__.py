"""What is measured: figures to report, never asserted in a test."""
