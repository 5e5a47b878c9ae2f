"""Upkeep: backups, checks, sizes and upgrades of the database, and which snapshots are kept."""
