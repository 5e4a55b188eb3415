"""The settings themselves: names, types, bounds, defaults. Nothing here reads a file or a variable.

Descriptions are what docs/settings.md prints. A `SecretStr` is never shown. An empty text means "not set".
"""

from zhixing.settings.model.channels import Channel
from zhixing.settings.model.homeassistant import HomeAssistant, HomeAssistantFact
from zhixing.settings.model.models import Model, Price
from zhixing.settings.model.mqtt import Frigate, FrigateCamera, Mqtt, MqttDevice, MqttFact
from zhixing.settings.model.vision import Vision, VisionCamera
from zhixing.settings.model.ways import Documents, Gateway, Goals, Household
from zhixing.settings.model.whole import Limits, Server, Settings, Store

__all__ = [
    "Channel",
    "Documents",
    "Frigate",
    "FrigateCamera",
    "Gateway",
    "Goals",
    "HomeAssistant",
    "HomeAssistantFact",
    "Household",
    "Limits",
    "Model",
    "Mqtt",
    "MqttDevice",
    "MqttFact",
    "Price",
    "Server",
    "Settings",
    "Store",
    "Vision",
    "VisionCamera",
]
