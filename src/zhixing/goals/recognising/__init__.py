"""Recognition: a conversation → cards, marked blocks, silence, or a question to a model. Segment 1 of the loop. Pure.

    recognise(messages, context)            what the last message is answered with (`Silent`, `Shown`, `NeedsModel`)
    body_of, envelope, read_card            a card as JSON, as the fixed envelope, and read again
    prompt_for, complaint, read_by_model    what a model may add where the rules are not certain
    task_request(draft, …)                  a whole draft as the request that is executed
    recognise_lines(lines)                  the machine contract

Nothing is remembered between turns: the draft, what was asked and how often are read off the conversation. Words are
data (`lexicon/`); code holds the grammar.
"""
