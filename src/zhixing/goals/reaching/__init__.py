"""From goals to bots: what the ports of `running` mean where there is a catalog of bots and a way to reach them.

`room.furnish` gives the ports. Bots that work on their own side are sent to and collected from (`delivering`); those
that only answer are asked by a job whose state is a row (`runs`), and driven through a relay by another (`relays`).
"""
