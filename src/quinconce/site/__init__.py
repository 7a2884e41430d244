"""The folder of files that any web space serves: the pages, Python, and the app of a phone."""
