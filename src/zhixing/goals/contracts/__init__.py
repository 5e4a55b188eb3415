"""What bots are asked and what counts as an answer: prompts as text, replies read tolerantly. No I/O."""
