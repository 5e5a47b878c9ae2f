"""Syncs with the official sites: fetches pages slowly, continues interrupted syncs, and compares the results."""
