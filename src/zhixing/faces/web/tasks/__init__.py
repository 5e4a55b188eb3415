"""The pages at /tasks: every task there is, and one of them with everything that is known of it."""
