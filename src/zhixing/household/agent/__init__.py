"""The household agent: works off what needs judgement, by rule where that is enough, else by a model in bounds."""
