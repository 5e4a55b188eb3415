"""Records: what a household task counts, times or writes down, by period."""
