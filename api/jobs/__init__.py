"""Background work: jobs that a worker beside the server runs, and what it does every night."""
