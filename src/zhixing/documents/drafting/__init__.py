"""Words → a task that writes, collects or runs something, shown before it is saved. Pure.

    is_document(text), recognise(text, now=…, zone=…)   does it ask for a product, and for which (`Recognised`)
    draft(recognised, session_id=…, now=…, zone=…)      the definition, its claims, tips and warnings (`Draft`)
    shown(draft, language)                              what is read before anything is saved
    answered(draft, words, now=…, zone=…)               what an answer makes of it
    prompt_for, enriched; question_about, read_by_model what a model may add, and how far it is believed

Words and the parts of products are data (`lexicon/`); code holds the grammar. What is not certain is left to a model
(`needs_model`); nothing is guessed.
"""
