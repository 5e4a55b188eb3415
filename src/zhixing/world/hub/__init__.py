"""Smart-home hubs that run rule graphs: the port, the client of the real one, and a fake one to test against."""
