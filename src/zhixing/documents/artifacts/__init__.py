"""The files of a run: its folder, what is written into it, and how it is read again. No database, no model."""
