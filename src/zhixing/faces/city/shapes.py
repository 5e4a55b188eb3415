"""What each command gives, in the words of docs/city.md."""

from __future__ import annotations

from zhixing.faces.command_tree import Chain

_CHANGED = (
    "`{success, title, message, taskMdPath, taskId, revision, status, when, whenWords, zone, nextRuns, nextRunsWords,"
    " warnings:[{line, code, message}], notes}`; `nextRuns` are the next three instants in `zone`, empty unless the"
    " task is enabled"
)
_TASK = (
    "`{title, description, body, when, status, sessionId, kind, review, taskMdPath, lastRunTimestamp, taskId, project,"
    " folder, revision, error, zone, whenWords, nextRuns, running, active, waiting, last, options, text}`"
)
_RUN = (
    "`{executionId, timestamp, status: queued|running|success|failure|cancelled|interrupted, statusWords,"
    " executionStatus, resultStatus, inProgress, trigger:{type, reason, due}, sessionId, taskId, attempt, queuedAt,"
    " startedAt, endedAt, durationMs, why, whyWords, error, cancelAsked, runDir, …}`"
)

GIVES: dict[Chain, str] = {
    ("task", "list"): (
        f"`{{success, tasks:[…]}}`, each of them {_TASK}. A task whose file cannot be read is listed with its `error`,"
        " unless a status is asked for; `active`, `waiting` and `last` are runs as `task runs` gives them"
    ),
    ("task", "create"): (
        f"{_CHANGED}. `reusedExisting` is true where there was a task of exactly that title: then nothing has changed"
    ),
    ("task", "run"): (
        "`{success, accepted:true, message, executionId, title, status, runDir, notes}`. While the task runs this fails"
        " (`document_running`) and names the run"
    ),
    ("task", "update"): f"{_CHANGED}. `changed` is false where it was so already",
    ("task", "delete"): "`{success, title, message, taskMdPath, cancelled}`; `cancelled` are the runs that are stopped",
    ("task", "status"): f"{_CHANGED}. `changed` as of `update`",
    ("task", "enable"): f"{_CHANGED}. `changed` as of `update`",
    ("task", "disable"): f"{_CHANGED}. `changed` as of `update`",
    ("task", "show"): (
        f"{_TASK} with `text`, the text of the file, and `warnings`; with `--run` `{{success, run}}` with what the"
        " files of the run say (`progressMessage, events, record, artifacts:[{name, bytes}]`); with `--artifact`"
        " `{success, executionId, name, bytes, cut, text}`"
    ),
    ("task", "runs"): f"`{{success, title, zone, runs:[…]}}`, each of them {_RUN}",
    ("task", "next"): "`{success, title, status, when, whenWords, zone, nextRuns, nextRunsWords}`",
    ("task", "validate"): (
        "`{success, usable:true, title, whenWords, findings:[{line, code, message}]}`. What makes the file unusable is"
        " the error, with its line; then the exit code is 1"
    ),
    ("task", "adopt"): (
        "`success`, `message`, `tasks` as `task list` has them, `notes`. A folder with enabled tasks that this home "
        "was never told of is left alone until then: other commands that change something there are refused."
    ),
    ("task", "cancel"): (
        "`{success, message, runs:[…]}`, as `task runs` gives them. A run under way is `running` with `cancelAsked`"
        " until it has let go"
    ),
    ("task", "logs"): "`{success, run, logs:[{name, bytes, cut, lines}]}`",
    ("chat", "send"): "`{success, message, messageId, chatKey, sessionId, channels, at, notes}`",
    ("chat", "bind"): "`{success, sessionId, channels, boundAt}`",
    ("chat", "unbind"): "`{success, sessionId, message}`",
    ("chat", "list"): "`{success, sessions:[{sessionId, channels, boundAt}]}`",
    ("version",): "`{version}`",
}
