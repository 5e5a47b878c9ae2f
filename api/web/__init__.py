"""Flask alone: the application, its routes and schemas, and what stands between them and a socket."""
