"""The games, and nothing else: no input or output, no web, no clock."""
