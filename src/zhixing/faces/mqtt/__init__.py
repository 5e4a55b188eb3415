"""The home at its MQTT broker: verdicts come in, what happens goes out. See docs/mqtt.md."""
