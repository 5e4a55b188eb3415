"""Messages from outside that carry no name of a leaf: found by their session, or only kept."""
