"""Storage: what is kept of events: tables, keys, the audit, answers that were given, archives."""
