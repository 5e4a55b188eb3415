"""The real Home Assistant, on loopback, with its demonstration and a small house of ours: run in a venv of its own.

    .services/ha-venv/bin/python tests/world/homeassistant/house.py FOLDER PORT

Prints one line of JSON with the long-lived tokens of its owner and of a guest when it is up. Its core, its HTTP and
WebSocket API, its registries and its integrations are those of everybody; only the page is left out, which nothing here
looks at. The service `house.set` changes entities as hands do, `house.reset` puts everything back, and `house.commands`
says what arrived at a device.
"""

# ruff: noqa: RUF012, T201 - its entities are written as Home Assistant wants them, and it tells its token by printing it
from __future__ import annotations

import asyncio
import json
import logging
import signal
import sys
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

from homeassistant import bootstrap, config_entries, loader
from homeassistant.components.binary_sensor import BinarySensorEntity
from homeassistant.components.camera import Camera
from homeassistant.components.climate import ClimateEntity, ClimateEntityFeature, HVACMode
from homeassistant.components.cover import CoverEntity, CoverEntityFeature
from homeassistant.components.event import EventEntity
from homeassistant.components.light import ColorMode, LightEntity, LightEntityFeature
from homeassistant.components.media_player import MediaPlayerEntity, MediaPlayerEntityFeature, MediaPlayerState
from homeassistant.components.sensor import SensorEntity
from homeassistant.components.tts import TextToSpeechEntity
from homeassistant.core import Event, HomeAssistant, ServiceCall, SupportsResponse, callback
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from homeassistant.helpers import area_registry, entity_registry
from homeassistant.helpers.entity import Entity

EFFECTS = ["普通", "日光", "月光", "温馨", "阅读", "观影"]
OWNER = "house-owner"
# The smallest whole JPEG there is to be had by hand is not worth a decoder here: nobody looks at it.
PICTURE = b"\xff\xd8\xff\xe0" + b"\x00\x10JFIF\x00" + b"picture" + b"\xff\xd9"

COMMANDS: list[tuple[str, str, list[Any]]] = []
"""What arrived: the entity, by which service it was told, and with what."""
SERVICES: dict[str, str] = {}
"""Which service was called, by the context of what follows from it."""


class Thing(Entity):
    """Something in the house."""

    _attr_should_poll = False

    def __init__(self, entity_id: str, name: str, room: str | None) -> None:
        self.entity_id = entity_id
        self.room = room
        self._attr_name = name
        self._attr_unique_id = entity_id
        self.fault = ""
        self.begin()

    def begin(self) -> None:
        """Be as at first."""

    def let(self, name: str, value: Any) -> None:
        """Be changed by hands."""
        setattr(self, name if name == "fault" else f"_attr_{name}", value)
        self.async_write_ha_state()

    async def take(self, *values: Any) -> None:
        """Take a command, or misbehave."""
        if self.fault == "refuses":
            raise ServiceValidationError("it does not want to")
        if self.fault == "fails":
            raise HomeAssistantError("half-way")
        COMMANDS.append((self.entity_id, SERVICES[self._context.id], list(values)))
        if self.fault == "silent":
            await asyncio.Event().wait()


class Lamp(Thing, LightEntity):
    _attr_supported_color_modes = {ColorMode.COLOR_TEMP}
    _attr_color_mode = ColorMode.COLOR_TEMP
    _attr_min_color_temp_kelvin, _attr_max_color_temp_kelvin = 2700, 6500
    _attr_effect_list = EFFECTS
    _attr_supported_features = LightEntityFeature.EFFECT

    def begin(self) -> None:
        self._attr_is_on: bool | None = True
        self._attr_brightness, self._attr_color_temp_kelvin, self._attr_effect = 204, 4000, EFFECTS[0]

    async def async_turn_on(self, **wanted: Any) -> None:
        await self.take(*wanted.values())
        self._attr_is_on = True
        for name in ("brightness", "color_temp_kelvin", "effect"):
            setattr(self, f"_attr_{name}", wanted.get(name, getattr(self, f"_attr_{name}")))
        self.async_write_ha_state()

    async def async_turn_off(self, **_: Any) -> None:
        await self.take()
        self._attr_is_on = False
        self.async_write_ha_state()


class Curtain(Thing, CoverEntity):
    """It is on its way until the hands of the house let it arrive."""

    _attr_supported_features = (
        CoverEntityFeature.OPEN | CoverEntityFeature.CLOSE | CoverEntityFeature.STOP | CoverEntityFeature.SET_POSITION
    )

    def begin(self) -> None:
        self._attr_current_cover_position = self.bound_for = 0
        self._attr_is_closed = True
        self._attr_is_opening = self._attr_is_closing = False

    async def async_set_cover_position(self, position: int) -> None:
        await self.take(position)
        here = self._attr_current_cover_position
        self.bound_for, self._attr_is_opening, self._attr_is_closing = position, position > here, position < here
        self.async_write_ha_state()

    async def async_open_cover(self) -> None:
        await self.async_set_cover_position(100)

    async def async_close_cover(self) -> None:
        await self.async_set_cover_position(0)

    def let(self, name: str, value: Any) -> None:
        if name == "arrived":
            self._attr_current_cover_position, self._attr_is_closed = self.bound_for, self.bound_for == 0
            self._attr_is_opening = self._attr_is_closing = False
        super().let(name, value)


class Speaker(Thing, MediaPlayerEntity):
    _attr_supported_features = (
        MediaPlayerEntityFeature.PLAY_MEDIA | MediaPlayerEntityFeature.VOLUME_SET | MediaPlayerEntityFeature.PLAY
    )

    def begin(self) -> None:
        self._attr_state, self._attr_volume_level = MediaPlayerState.IDLE, 0.4

    async def async_play_media(self, media_type: str, media_id: str, **_: Any) -> None:  # noqa: ARG002
        await self.take(parse_qs(urlsplit(media_id).query)["message"][0])

    async def async_set_volume_level(self, volume: float) -> None:
        await self.take(volume)
        self._attr_volume_level = volume
        self.async_write_ha_state()


class Voice(Thing, TextToSpeechEntity):
    default_language = "zh"
    supported_languages = ["zh"]


class Conditioner(Thing, ClimateEntity):
    _attr_hvac_modes = [HVACMode.OFF, HVACMode.COOL, HVACMode.DRY, HVACMode.FAN_ONLY, HVACMode.HEAT]
    _attr_min_temp, _attr_max_temp, _attr_target_temperature_step = 16, 31, 0.5
    _attr_temperature_unit = "°C"
    _attr_supported_features = (
        ClimateEntityFeature.TARGET_TEMPERATURE | ClimateEntityFeature.TURN_ON | ClimateEntityFeature.TURN_OFF
    )

    def begin(self) -> None:
        self._attr_hvac_mode, self._attr_target_temperature, self._attr_current_temperature = HVACMode.OFF, 26, 25

    async def async_set_temperature(self, **wanted: Any) -> None:
        await self.take(wanted["temperature"])
        self._attr_target_temperature = wanted["temperature"]
        self.async_write_ha_state()

    async def async_set_hvac_mode(self, hvac_mode: HVACMode) -> None:
        await self.take(hvac_mode)
        self._attr_hvac_mode = hvac_mode
        self.async_write_ha_state()


class Thermometer(Thing, SensorEntity):
    _attr_device_class = "temperature"
    _attr_native_unit_of_measurement = "°C"
    _attr_state_class = "measurement"

    def begin(self) -> None:
        self._attr_native_value: Any = 25.6


class Door(Thing, BinarySensorEntity):
    _attr_device_class = "door"

    def begin(self) -> None:
        self._attr_is_on: bool | None = False


class Button(Thing, EventEntity):
    _attr_device_class = "button"
    _attr_event_types = ["click", "double_click"]

    def let(self, name: str, value: Any) -> None:
        if name == "pressed":
            self._trigger_event(value)
            self.async_write_ha_state()
        else:
            super().let(name, value)


class Eye(Thing, Camera):
    def __init__(self, *args: Any) -> None:
        Camera.__init__(self)
        Thing.__init__(self, *args)
        self.picture = PICTURE

    async def async_camera_image(self, width: int | None = None, height: int | None = None) -> bytes:  # noqa: ARG002
        return self.picture


def things() -> list[Thing]:
    made = [
        Lamp("light.lamp", "客厅灯", "客厅"),
        Lamp("light.unplugged", "拔掉的灯", "主卧"),
        Lamp("light.unreachable", "够不着的灯", "主卧"),
        Lamp("light.jammed", "卡住的灯", "主卧"),
        Lamp("light.silent", "不答话的灯", "主卧"),
        Curtain("cover.curtain", "窗帘", "客厅"),
        Speaker("media_player.speaker", "音箱", "客厅"),
        Voice("tts.voice", "语音", None),
        Conditioner("climate.ac", "空调", "主卧"),
        Thermometer("sensor.climate", "温湿度计", "客厅"),
        Door("binary_sensor.door", "门磁", "玄关"),
        Button("event.button", "按钮", "主卧"),
        Eye("camera.living", "客厅摄像头", "客厅"),
        Eye("camera.entrance", "玄关摄像头", "玄关"),
        Eye("camera.bedroom", "主卧摄像头", "主卧"),
        Eye("camera.wide_1", "全景摄像头 1", "客厅"),
        Eye("camera.wide_2", "全景摄像头 2", "客厅"),
        Eye("camera.away", "没插电的摄像头", "玄关"),
    ]
    for each in made:
        misbehave(each)
    return made


def misbehave(thing: Thing) -> None:
    """Have the fault that its name says."""
    thing.fault = {"light.jammed": "refuses", "light.silent": "silent"}.get(thing.entity_id, "")
    thing._attr_available = thing.entity_id not in {"light.unplugged", "light.unreachable", "camera.away"}
    if thing.entity_id == "light.jammed":
        thing._attr_is_on = False
    if thing.entity_id == "light.silent":
        thing._attr_is_on = None


def serve_house(hass: HomeAssistant, made: list[Thing]) -> None:
    """Give the services that are the hands of the house."""
    by_id = {each.entity_id: each for each in made}

    async def let(call: ServiceCall) -> None:
        thing = by_id[call.data["thing"]]
        thing.let(call.data["name"], call.data["value"])

    async def reset(_call: ServiceCall) -> None:
        for each in made:
            each.begin()
            misbehave(each)
            each.async_write_ha_state()
        # A lamp tells its brightness only while it is on.
        by_id["light.lamp"].let("is_on", False)
        COMMANDS.clear()

    async def commands(call: ServiceCall) -> dict[str, Any]:
        return {"commands": [[what, values] for name, what, values in COMMANDS if name == call.data["thing"]]}

    async def phone(call: ServiceCall) -> None:
        if call.data["message"] == "哑":
            await asyncio.Event().wait()
        COMMANDS.append(("phone", "told", [call.data["title"], call.data["message"]]))

    @callback
    def note(event: Event) -> None:
        SERVICES[event.context.id] = event.data["service"]

    hass.bus.async_listen("call_service", note, run_immediately=True)
    hass.services.async_register("house", "set", let)
    hass.services.async_register("house", "reset", reset)
    hass.services.async_register("house", "commands", commands, supports_response=SupportsResponse.ONLY)
    hass.services.async_register("notify", "phone", phone)


async def token_of(hass: HomeAssistant) -> str:
    """Return the token of the one owner, made at the first start."""
    users = [each for each in await hass.auth.async_get_users() if each.name == OWNER]
    if users:
        refresh = next(iter(users[0].refresh_tokens.values()))
    else:
        user = await hass.auth.async_create_user(OWNER, group_ids=["system-admin"])
        refresh = await hass.auth.async_create_refresh_token(
            user,
            client_name="zhixing",
            token_type="long_lived_access_token",
            access_token_expiration=timedelta(days=3650),
        )
        # On disk now, and not in a second: it may be killed.
        kept = hass.auth._store
        await kept._store.async_save(kept._data_to_save())
    return hass.auth.async_create_access_token(refresh)


async def guest_of(hass: HomeAssistant) -> str:
    """Return the token of somebody who is no administrator; it is good for as long as the process lives."""
    user = await hass.auth.async_create_user("house-guest", group_ids=["system-users"])
    refresh = await hass.auth.async_create_refresh_token(
        user, client_name="guest", token_type="long_lived_access_token", access_token_expiration=timedelta(days=1)
    )
    return hass.auth.async_create_access_token(refresh)


async def run(folder: str, port: int) -> None:
    bootstrap.DEFAULT_INTEGRATIONS = set()  # the page, and what belongs to it
    sys.modules["hass_nabucasa"] = None  # a cloud that nobody is in, and that takes seconds to load
    hass = HomeAssistant(folder)
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    wanted = {
        "homeassistant": {"name": "试验之家", "time_zone": "Asia/Shanghai", "unit_system": "metric"},
        "http": {"server_host": "127.0.0.1", "server_port": port},
        "person": [{"id": "mom", "name": "林知夏"}, {"id": "guest", "name": "小客人"}],
        "tts": [{"platform": "demo"}],
    }
    for each in ("api", "websocket_api", "auth", "config", "demo"):
        wanted[each] = {}
    if await bootstrap.async_from_config_dict(wanted, hass) is None:
        sys.exit("Home Assistant could not be set up")
    made = things()
    for each in made:
        await hass.data[each.entity_id.partition(".")[0]].async_add_entities([each])
    areas, entities = area_registry.async_get(hass), entity_registry.async_get(hass)
    for each in made:
        if each.room is not None:
            entities.async_update_entity(each.entity_id, area_id=areas.async_get_or_create(each.room).id)
    serve_house(hass, made)
    await hass.async_start()
    token, guest = await token_of(hass), await guest_of(hass)
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    print(json.dumps({"token": token, "guest": guest}), flush=True)
    await stop.wait()
    await hass.async_stop(force=True)


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    asyncio.run(run(sys.argv[1], int(sys.argv[2])))
