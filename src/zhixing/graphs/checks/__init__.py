"""What is wrong with a rule graph, found without running it: its structure, and what the devices of a home can do."""
