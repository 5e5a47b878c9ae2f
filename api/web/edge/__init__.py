"""The edge: what stands between a socket and the application, and bounds what anybody may ask."""
