"""The wire: commands and events (pydantic), their codes and text forms, schemas and golden vectors.
Imports `rules` only; no I/O."""
