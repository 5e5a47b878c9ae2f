"""Players of an event: their registrations, import, attendance and lists."""
