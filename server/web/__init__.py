"""The edge: sockets and HTTP, their limits and errors. Thin: what is decided is decided in `server.race` and
`server.service`. Imports services and below; only `server.app` imports it."""
