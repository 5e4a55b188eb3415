"""The virtual gateway: keeps rule graphs and variables, and runs them over the virtual home on the real clock."""
