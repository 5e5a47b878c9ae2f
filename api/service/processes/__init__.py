"""Processes: child processes and batch workers, and what processes share: counts and temporary folders."""
