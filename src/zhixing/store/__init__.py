"""One small SQL connection type over SQLite or PostgreSQL, and the ordered migrations."""
