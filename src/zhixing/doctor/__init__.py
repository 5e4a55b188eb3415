"""What works, what is missing, and how to get it. Looks only: makes no folder, applies no migration, tells nobody.

The one thing it sends is a tiny question to the configured model, because nothing else shows that the model answers.

A check is a function from what it looks at to findings; `examine` gives each what it needs. Texts are in the section
`doctor` of the catalogue: `says` and `fix` lines are found by the finding's name and what was found.
"""

from zhixing.doctor.around import check_channels, check_gateway, check_homeassistant, check_mqtt, check_sandbox
from zhixing.doctor.examining import examine
from zhixing.doctor.finding import Finding, State
from zhixing.doctor.goals import check_goals
from zhixing.doctor.ground import (
    HEALTH,
    Answer,
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

__all__ = [
    "HEALTH",
    "Answer",
    "Finding",
    "State",
    "ask_port",
    "check_channels",
    "check_driver",
    "check_gateway",
    "check_goals",
    "check_home",
    "check_homeassistant",
    "check_model",
    "check_mqtt",
    "check_python",
    "check_sandbox",
    "check_server",
    "check_settings",
    "check_store",
    "check_token",
    "check_usage",
    "check_vision",
    "check_zone",
    "check_zone_data",
    "examine",
]
