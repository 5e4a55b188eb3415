"""The home as tools for an agent: the Model Context Protocol over standard input and output (`zhixing mcp`)."""
