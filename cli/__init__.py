"""The command `ramparts`: one file a group of commands, loaded when called. Nobody imports it."""
