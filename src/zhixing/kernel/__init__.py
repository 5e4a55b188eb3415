"""Clock, moments, claims, questions, errors and wording: what every room stands on."""
