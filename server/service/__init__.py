"""What needs several stores: entering, pairing, closing and settling races, days, players, boards.
Imports `server.store` and below; knows no socket and no HTTP."""
