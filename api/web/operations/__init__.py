"""Operations: what those who run a server look at, whether it is alive and ready, and its metrics."""
