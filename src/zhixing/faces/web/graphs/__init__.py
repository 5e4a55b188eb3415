"""The pages of the rules that a hub runs."""
