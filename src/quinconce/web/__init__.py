"""The pages: templates, modules for the browser and style, filled in one language."""
