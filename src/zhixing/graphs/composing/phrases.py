"""Few words for what is done, for the summary and for questions. Pure."""

from __future__ import annotations

from zhixing.graphs.composing.request import Act, Play, Say, Setting, Switch
from zhixing.kernel.wording import Language, wording

_UNITS = {"percent": "%", "degree": "℃", "kelvin": "K", "lux": " lux", "watt": " W", "level": " 档"}


def done_words(device: str, act: Act, text: str = "", language: Language = "zh") -> str:
    """Say an order."""
    match act:
        case Switch():
            return wording(f"composing_graphs.does_{act.turn}", language, device=device)
        case Setting():
            return wording("composing_graphs.does_set", language, device=device, value=shown(act, language))
        case Say():
            return wording("composing_graphs.does_say", language, device=device, text=text)
        case Play():
            return wording(f"composing_graphs.does_{act.doing.value}", language, device=device)


def shown(act: Setting, language: Language = "zh") -> str:
    """Say a value with the measure that was named."""
    if act.unit == "extreme":
        value = wording(f"composing_graphs.extreme_{act.value}", language)
    else:
        number = act.value if isinstance(act.value, str) else f"{act.value:g}"
        value = f"{number}{_UNITS.get(act.unit, '')}"
    if not act.measure or act.measure == "mode":
        return value
    return f"{wording('composing_graphs.measure_' + act.measure.replace('-', '_'), language)} {value}"
