"""What routes answer, and a device without a server too: no HTTP, no database."""
