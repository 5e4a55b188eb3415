"""A layered layout of boxes and wires, over plain numbers and names: it knows no node types. Pure."""
