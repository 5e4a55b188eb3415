"""All checks, in the order of the report."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from zhixing.doctor.around import check_channels, check_gateway, check_homeassistant, check_mqtt, check_sandbox
from zhixing.doctor.finding import Finding, broken
from zhixing.doctor.goals import check_goals
from zhixing.doctor.ground import (
    Ask,
    OpenStore,
    ask_port,
    check_driver,
    check_home,
    check_python,
    check_server,
    check_settings,
    check_store,
    check_token,
    check_zone,
    check_zone_data,
)
from zhixing.doctor.minds import check_model, check_usage, check_vision
from zhixing.kernel.clock import Clock
from zhixing.kernel.errors import ZhixingError
from zhixing.settings import home_zone, load


def examine(
    home: Path, env: Mapping[str, str], open_store: OpenStore, clock: Clock, ask: Ask = ask_port
) -> list[Finding]:
    """Look at everything. What cannot be looked at because the settings are wrong is left out."""
    findings = [*check_python(sys.version_info[:3]), *check_zone_data(), *check_home(home)]
    try:
        configuration = load(home, env)
    except ZhixingError as error:
        findings.append(broken("settings", "wrong", error=error))
        findings.extend(check_token(home, env))
        return findings
    settings = configuration.settings
    return [
        *findings,
        *check_settings(configuration),
        *check_zone(home_zone(settings.zone, env)),
        *check_store(configuration.store_url, open_store),
        *check_driver(configuration.store_url),
        *check_token(home, env),
        *check_server(settings.server, home, env, ask),
        *check_channels(configuration, clock),
        *check_mqtt(settings.mqtt, clock),
        *check_homeassistant(settings.homeassistant, clock),
        *check_gateway(settings.gateway),
        *check_sandbox(settings.documents, clock),
        *check_model(settings.model, clock),
        *check_vision(settings, configuration.store_url, open_store, clock, home_zone(settings.zone, env)),
        *check_goals(settings, home, home_zone(settings.zone, env).name, clock),
        *check_usage(configuration.store_url, open_store, clock, home_zone(settings.zone, env)),
    ]
