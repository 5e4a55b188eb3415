"""Where commands of users and models run: confined, bounded and killed whole."""
