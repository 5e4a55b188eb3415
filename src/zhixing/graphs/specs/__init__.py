"""What devices can do by their MIoT specifications, and a home as a folder of them; read, never fetched."""
