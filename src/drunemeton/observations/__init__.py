"""What a seat knows, as numbers: one file a game, for environments and for players that learnt from them."""
