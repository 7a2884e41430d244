"""The routes of the server, one file a group."""
