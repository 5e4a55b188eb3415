"""Home Assistant as the hub of a home: its devices over WebSocket, its cameras over REST, its changes as verdicts."""
