"""The fourth way: rule graphs of a smart-home hub, read, checked, laid out and run on a virtual clock."""
