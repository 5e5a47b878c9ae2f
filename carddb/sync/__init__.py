"""The official sites: fetched politely, gone on with where it broke off, and compared with what there is."""
