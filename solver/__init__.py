"""Verdicts, par, difficulty, certified deals. Imports the rules only; the server process never imports it."""
