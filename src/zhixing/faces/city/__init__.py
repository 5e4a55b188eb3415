"""`city`: the commands of document 003, with its flags and its envelope."""
