"""Speakers and televisions."""

from __future__ import annotations

from collections.abc import Iterator

from zhixing.world.devices.port import ActionSpec, PropertySpec
from zhixing.world.homeassistant.members import (
    Action,
    Call,
    Kind,
    Property,
    Surroundings,
    action,
    chosen,
    class_of,
    features,
    number,
    prop,
)
from zhixing.world.homeassistant.wire import State

_PAUSE, _VOLUME, _MUTE, _PREVIOUS, _NEXT, _ON, _OFF = 1, 4, 8, 16, 32, 128, 256
_MEDIA, _SOURCE, _STOP, _PLAY = 512, 2048, 4096, 16384
_SCREENS = frozenset({"tv", "receiver"})
_PLAYING = {"playing": 1, "buffering": 1, "paused": 2}
_WORDS = PropertySpec("prop.5.1", "text-content", "string", readable=False, writable=True)


def media_player(state: State, around: Surroundings) -> Kind:
    """Return what a speaker or a television can do. It speaks where the home has an engine for speech."""
    if class_of(state) in _SCREENS:
        return Kind("tv", tuple(_screen(state)), (*_screen_actions(state), *_speech(state, around)))
    return Kind("speaker", tuple(_speaker(state)), (*_controls(state), *_speech(state, around)))


def _speaker(state: State) -> Iterator[Property]:
    yield from _sound(state, "2")
    if features(state) & _ON and features(state) & _OFF:
        yield _power("2.3")
    yield prop(
        "3.1",
        "playing-state",
        "int",
        lambda state: _PLAYING.get(state.state, 0),
        choices=((0, "停止"), (1, "播放"), (2, "暂停")),
    )


def _screen(state: State) -> Iterator[Property]:
    can = features(state)
    if can & _ON and can & _OFF:
        yield _power("2.1")
    else:
        yield prop("2.1", "on", "bool", _is_on)
    if can & _SOURCE:
        yield from chosen(
            "2.2",
            "input-control",
            state,
            listed="source_list",
            now="source",
            call=lambda name: Call("media_player", "select_source", {"source": name}),
        )
    yield from _sound(state, "3")


def _power(place: str) -> Property:
    return prop(place, "on", "bool", _is_on, lambda value: Call("media_player", "turn_on" if value else "turn_off"))


def _is_on(state: State) -> bool:
    return state.state not in {"off", "standby"}


def _sound(state: State, service: str) -> Iterator[Property]:
    can = features(state)
    if can & _VOLUME:
        yield prop(
            f"{service}.1",
            "volume",
            "int",
            _volume,
            lambda value: Call("media_player", "volume_set", {"volume_level": float(value) / 100}),
            span=(0, 100, 1),
            unit="%",
        )
    if can & _MUTE:
        yield prop(
            f"{service}.2",
            "mute",
            "bool",
            lambda state: bool(state.attributes.get("is_volume_muted")),
            lambda value: Call("media_player", "volume_mute", {"is_volume_muted": value}),
        )


def _volume(state: State) -> int | None:
    found = number(state, "volume_level")
    return None if found is None else min(100, max(0, round(found * 100)))


def _controls(state: State) -> Iterator[Action]:
    known = (
        (_PLAY, "3.1", "play", "media_play"),
        (_PAUSE, "3.2", "pause", "media_pause"),
        (_STOP, "3.3", "stop", "media_stop"),
        (_NEXT, "3.4", "next", "media_next_track"),
        (_PREVIOUS, "3.5", "previous", "media_previous_track"),
    )
    for bit, place, name, service in known:
        if features(state) & bit:
            yield action(place, name, Call("media_player", service))


def _screen_actions(state: State) -> Iterator[Action]:
    if features(state) & _OFF:
        yield action("2.1", "turn-off", Call("media_player", "turn_off"))


def _speech(state: State, around: Surroundings) -> Iterator[Action]:
    engine, did = around.speech, state.entity_id
    if engine is not None and features(state) & _MEDIA:
        yield Action(
            ActionSpec("action.5.1", "play-text", (_WORDS,)),
            lambda params: Call("tts", "speak", {"media_player_entity_id": did, "message": params[0]}, target=engine),
        )
