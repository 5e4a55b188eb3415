from tests.world.mqtt.conftest import closing_time, mosquitto

__all__ = ["closing_time", "mosquitto"]
