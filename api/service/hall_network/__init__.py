"""The network of a hall: the addresses that phones open, and the certificates of the server."""
