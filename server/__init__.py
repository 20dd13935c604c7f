"""The server: the contest (`race`), Redis (`store`), what needs several stores (`service`), the edge (`web`), workers.
`app` is the only place where things are made and joined."""
