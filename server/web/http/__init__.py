"""The HTTP API: one noun per module, each a table of operations; `serving` reads, answers and refuses for all of them.
What the answers say is computed in `server.service`; nothing here knows Redis."""
