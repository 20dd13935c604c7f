"""What stands on the player's side: connection, races, the bot, the terminal, and the browser client in `web/`.
Imports `protocol` and `rules` only: a client knows no more than the wire tells it."""
