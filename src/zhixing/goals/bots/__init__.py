"""The bots that do the leaves of a goal: who they are, who fits, and how several of them work together. Pure.

    profiles, reading        what is known of a bot, and the catalog; both read from TOML, YAML or JSON
    matching, ranking, searching
                             who fits a leaf, with reasons, as a proposal in the four outcomes of taskloop §4.4
    definitions, forming     a group before it begins: its members, its one reporter, its state machine
    collaborating            whose turn it is in a group, when it is over, and who reports

`lexicon.toml` holds the words that mean the same or nothing.
"""
