"""`miloco-cli`: the household document's commands, flags, envelope and exit codes."""
