"""A sentence on its way to a rule of the hub: what it would become is shown first, and saved when somebody agrees."""
