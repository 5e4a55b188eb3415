"""What is said in a home → the operation meant and, for a new task, every decision of its plan. Pure and local."""
