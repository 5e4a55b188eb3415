"""What a variable is set to: expressions of varSetNumber and texts of varSetString (mijia.md §1.11). Pure.

    read_elements(props["elements"])                 the elements as the gateway stores them (`Element`)
    expression_of(elements) → Expression             parsed within bounds
    evaluate(expression, surroundings)               the number it gives now
    unproven_in(expression)                          the options the result rests on
    joined_text(elements, variables)                 the text it gives now
    variables_of, has_dollar, without_dollar         where variables are used, and what a bare `$` should have been
    elements_of(text) ↔ text_of(elements)            as a person writes it: `{global.count} + 1`

What cannot be read or worked out is a `Fault`, returned instead of the result.
"""
