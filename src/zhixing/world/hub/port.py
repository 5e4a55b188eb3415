"""The port to a smart-home hub that runs rule graphs: its methods, called by their names (mijia §6.2).

A method is called once; nothing here repeats one. What became of a write that was not answered is told by reading it
back, never by writing again.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, Protocol

from zhixing.kernel.errors import BadInput, Unavailable

Json = Any
"""A value as `json` reads it."""

CALL_SECONDS: Final = 10.0
"""How long a call waits for its answer unless the caller says."""


class Method(StrEnum):
    """The methods by what they are called on the wire."""

    GET_API_LIST = "getApiList"
    GET_DEVICES = "getDevList"
    GET_GRAPHS = "getGraphList"
    GET_GRAPH = "getGraph"
    SET_GRAPH = "setGraph"
    DELETE_GRAPH = "deleteGraph"
    CHANGE_GRAPH_CONFIG = "changeGraphConfig"
    GET_SCOPES = "getVarScopeList"
    GET_VARIABLES = "getVarList"
    CREATE_VARIABLE = "createVar"
    DELETE_VARIABLE = "deleteVar"
    GET_VARIABLE_CONFIG = "getVarConfig"
    SET_VARIABLE_CONFIG = "setVarConfig"
    GET_VARIABLE_VALUE = "getVarValue"
    SET_VARIABLE_VALUE = "setVarValue"
    GET_LOG = "getLog"
    GET_BACKUP_CONFIG = "getBackupConfig"
    GET_BACKUPS = "getBackupList"
    GET_BACKUP_PROGRESS = "getBackupProgress"
    CREATE_BACKUP = "createBackup"


READS: Final = frozenset(
    {
        Method.GET_API_LIST,
        Method.GET_DEVICES,
        Method.GET_GRAPHS,
        Method.GET_GRAPH,
        Method.GET_SCOPES,
        Method.GET_VARIABLES,
        Method.GET_VARIABLE_CONFIG,
        Method.GET_VARIABLE_VALUE,
        Method.GET_LOG,
        Method.GET_BACKUP_CONFIG,
        Method.GET_BACKUPS,
        Method.GET_BACKUP_PROGRESS,
    }
)
"""Methods that change nothing: what `mijia_call_api` may call (§4.2)."""


class HubRefused(BadInput):
    """The hub answered that it will not; `text` among the values is its own text."""


class Unconfirmed(Unavailable):
    """The call left and no answer came: whether it was carried out is not known."""


class Hub(Protocol):
    """A hub. Calls may come from several threads."""

    def call(self, method: Method, params: Mapping[str, Json], *, seconds: float = CALL_SECONDS) -> Json:
        """Call a method and return its result.

        Raises `HubRefused`, `Unavailable` when the call never left, `Unconfirmed` when its answer did not come.
        """
        ...
