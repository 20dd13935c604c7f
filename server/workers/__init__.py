"""Processes beside the server: they fill the private pool of certified deals and analyse records of closed attempts.

Nobody imports them but the command line; they meet the server in the store only.
"""
