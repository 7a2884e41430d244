"""Reviews of matches, from the button to the stored report."""
