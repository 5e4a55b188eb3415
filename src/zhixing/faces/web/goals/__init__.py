"""The pages at /goals: say what is to be reached, see what bots make of it, and take over where they hang."""
