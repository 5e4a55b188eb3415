"""The MQTT broker of a home: messages become verdicts, news becomes messages."""
