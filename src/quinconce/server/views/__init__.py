"""What the routes show: data for programs and values for the templates."""
