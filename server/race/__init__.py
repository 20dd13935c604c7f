"""The contest without I/O: attempts, races, standings, dailies, sessions and pacing as pure state machines.
Imports `rules` and `protocol` only; time, chance and ids come in as arguments."""
