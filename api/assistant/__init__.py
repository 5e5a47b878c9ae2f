"""For assistants: what programs that speak with people may ask, as tools of the Model Context Protocol."""
