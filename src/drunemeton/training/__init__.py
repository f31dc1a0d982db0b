"""Self-play: players that teach themselves, with PyTorch (`pip install drunemeton[train]`); nothing else imports this room."""
