"""Jobs: what is done later, by a worker beside the server, and every night."""
