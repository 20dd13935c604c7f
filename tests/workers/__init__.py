"""The processes beside the server, on a real store."""
