"""Goals as tasks: a goal stands in the list of tasks, its journal tells what became of it, and people are told news.

`following` keeps goals and tasks at one, `telling` brings news to people; `chronicle` (what a change means) and `news`
(its words) are pure. `viewing` is what faces show, `pruning` clears old logs away. `room` puts it together.
"""
