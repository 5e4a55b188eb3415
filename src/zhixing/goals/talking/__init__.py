"""Conversations about a goal before it runs: `/task …` → card → answers → executed, discarded or saved for later.

Recognition remembers nothing; this room is the platform that keeps the conversation, the drafts that were set aside and
the tasks that wait for their turn (taskloop §1.4, §1.5, §6.4).
"""
