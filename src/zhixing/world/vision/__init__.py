"""Looking: pictures of cameras, and the one question to a model about what a picture shows."""
