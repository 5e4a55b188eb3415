"""From the decisions of a draft to the whole plan: conditions, descs, names, jobs, questions and the report. Pure."""
