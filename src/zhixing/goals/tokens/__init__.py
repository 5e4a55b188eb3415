"""What a bot outside proves itself with. A token opens the few doors that bots need, in the name of one bot."""
