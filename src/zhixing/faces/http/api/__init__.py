"""The API under /api/v1: JSON in, JSON out, in the shapes of `faces.wire`."""
