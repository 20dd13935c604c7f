"""The games as data and one engine that plays them: cards, variants, deals, positions, moves, records.

Standard library only and pure: time, chance and ids come in as arguments; no clock, no network, no storage.
"""
