"""What a page asks, answered on the device itself, without a server."""
