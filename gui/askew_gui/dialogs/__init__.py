"""Windows that ask or tell something on request."""
