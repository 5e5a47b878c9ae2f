"""The web layer, the only package that uses Flask: the application, routes, schemas, pages and the server."""
