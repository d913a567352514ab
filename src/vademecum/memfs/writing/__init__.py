"""From edits to one durable commit, with the work tree and the index brought along; killed at any point, completed."""
