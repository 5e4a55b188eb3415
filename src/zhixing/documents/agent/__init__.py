"""Who carries out bodies of kind `agent`: a model with tools in bounds, or a command; and a reviewer of both."""
