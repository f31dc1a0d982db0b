"""A cluster on this machine: PostgreSQL, several servers and a small proxy before them; and what it takes to break it."""
