"""What cameras and sensors say of the world: verdicts, pushed in or replayed from a file."""
