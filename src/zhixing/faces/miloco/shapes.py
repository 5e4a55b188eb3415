"""What each command gives and how it can fail, in the words of docs/miloco-cli.md."""

from __future__ import annotations

from zhixing.faces.command_tree import Chain

_NO_TASK = "2001 `task_not_found`"
_NO_RECORD = f"{_NO_TASK} · 2001 `no_active_record`"
_NO_RULE = "2001 `rule_not_found` · 2000 the task of the rule has ended"
_WRITE = f"{_NO_RECORD} · 1002 `wrong_kind` · 1002 an instant in the future or more than a year ago"
_NOOP = (
    "Where nothing changes there are also `noop:true` and `reason`: `task_paused`, `inactive` (the record or the task"
    " has ended), `duplicate` (the same `--fire-id` before)."
)
_TASK = (
    "`{task_id, description, status, paused_at, created_at, rule_briefs:[{rule_id, query, actions_desc:[…], enabled,"
    " sources, name, mode, actions, action_descriptions, on_enter_actions, on_enter_desc, on_exit_actions,"
    " on_exit_desc, on_target_desc, exit_debounce_seconds, duration_seconds, …}], links:[{kind, ref}], id, lifecycle,"
    " expires_at, record_kind, crons:[{ref, name, schedule, message, enabled}], revision, updated_at}`"
)
_RECORD = (
    "`{kind, record:{id, task_id, …, recurring_pattern, expires_at, status, archived_at, created_at, updated_at},"
    " sessions|entries, derived}`. progress: `record` has `target, current, unit, window`, `derived` has `remaining,"
    " progress_pct` (0 to 1) `, ratio` (without that cap). duration: `target_minutes, active_session_start_at`;"
    " `derived` has `accumulated_minutes_today` (of the present period), `accumulated_seconds, remaining_minutes,"
    " active_session_start_at`. event: `derived` has `count_total, count_today, last_at`. Of progress and duration"
    " `derived` also has `reached, reached_at, period_start, period_end`."
)
_RULE = (
    "`{id, name, task_id, mode, lifecycle, enabled, condition:{perceive_device_ids, query}, actions,"
    " action_descriptions, on_enter_actions, on_enter_desc, on_exit_actions, on_exit_desc, on_target_desc,"
    " terminate_when, exit_debounce_seconds, duration_seconds, duration_ratio, agreement, cooldown_seconds, quiet,"
    " unknown_tolerance_seconds, source_expiry_seconds, limit, stopped_by, revision, created_at, updated_at}`"
)
_SWITCHED = (
    "`{task_id, status, backend_synced:{meta_status: ok|noop, rules:[{rule_id, result, enabled}], crons:[{ref, result,"
    " enabled}]}, agent_pending:[], paused_at}`. Cron jobs follow the task by themselves, so nothing is pending."
)
_RULE_INPUT = (
    "1002 fields that do not fit together, or a device, property, value or camera that is not there (with the nearest)"
)
_CAMERA = "`[{did, name, room_name, is_online, in_use, connected}]`"
_PERSON = "`{id, name, role}`; `role` is null where there is none"
_PROPS = (
    "`{did, props:[{iid, name, value, unit, code, error}]}`; `code` is 0, -1 (it certainly did not happen) or -2"
    " (nobody knows)"
)
_DEVICE = "2001 no such device · 1002 no such property, or a value it does not take · 3200 with the data above"

SHAPES: dict[Chain, str] = {
    ("task", "create"): "`{task_id, id}`",
    ("task", "link"): "`{task_id, kind, ref}`",
    ("task", "list"): f"a list of {_TASK}",
    ("task", "get"): _TASK,
    ("task", "summary"): (
        "a list of tasks as `task list` gives them, each with `record`: null or `{kind, completed,"
        " active_session:{started_at, elapsed_minutes}|null, window_remaining:{seconds, display}|null, derived}`;"
        " `display` is `5h 3m`, `3m` or `9s`. With `--window all`"
        " `record` also has `total`, as `task record compute` gives it for a range"
    ),
    ("task", "update"): "the task as `task get` gives it",
    ("task", "disable"): _SWITCHED,
    ("task", "enable"): _SWITCHED,
    ("task", "delete"): (
        "`{task_id, backend_synced:{rules_deleted:[…], task_link_rows_deleted, crons:[{ref, result}]}, "
        " agent_pending:[], reason, record_kind, final_snapshot, terminated_at}`"
    ),
    ("task", "apply"): "the task as `task get` gives it",
    ("task", "undo"): "`{task_id, revision, kind, changes:[{part, before, after}]}`",
    ("task", "logs"): (
        "`{task_id, since, logs:[{at, kind: occurrence|near_miss, part, name, rule_id, direction, ref, occurrence_id,"
        " state, count, why, why_text, data}], counts:{state: number}, near_misses}`"
    ),
    ("task", "record", "init"): _RECORD,
    ("task", "record", "get"): _RECORD,
    ("task", "record", "compute"): (
        "`{kind, window, date, derived}`, or `{kind, from, to, derived}` with `derived` of `progress_range"
        " {days_with_data, total_current, target_recent}`, `duration_range {days_with_data, total_minutes,"
        " target_minutes_recent}` or `event_range {days_with_data, total_count}`"
    ),
    ("task", "record", "archive", "list"): (
        "`{kind, archives:[…]}`: progress `{date, current, target, status}`, duration `{date, accumulated_minutes}`,"
        " event `{date, count}`; and `reached_at, period_start, period_end`"
    ),
    ("task", "record", "update"): _RECORD,
    ("task", "record", "progress-inc"): f"`{{ok, current, target, status, first_reached, derived}}`. {_NOOP}",
    ("task", "record", "event-append"): f"`{{ok, entry_id, derived}}`. {_NOOP}",
    ("task", "record", "session-start"): (
        f"`{{ok, start_at, status, derived}}`; also `already_active:true` where it is under way. {_NOOP}"
    ),
    ("task", "record", "session-end"): (
        f"`{{ok, this_session_minutes, this_session_seconds, status, first_reached, derived}}`. {_NOOP}"
    ),
    ("rule", "list"): f"a list of {_RULE}",
    ("rule", "create"): "`{rule_id, name, task_id, mode, lifecycle, rule}`; `rule` as `rule list` gives it",
    ("rule", "update"): "the rule as `rule list` gives it, and `rule_id`",
    ("rule", "enable"): "the rule as `rule list` gives it, and `rule_id`",
    ("rule", "disable"): "the rule as `rule list` gives it, and `rule_id`",
    ("rule", "delete"): "`{rule_id, name, task_id, deleted:true}`",
    ("rule", "trigger"): "`{rule_id, execute_id, event}`",
    ("rule", "logs"): (
        "`{rule_logs:[{id, timestamp, kind, rule_id, rule_name, rule_query, trigger_context, execute_result:{event:"
        " ENTERED|EXITED|TARGET_FIRED, action_results:[{action:{did, iid, value}, result, skipped, error, state}],"
        " dynamic_rule_event_sent}, task_id, state, reason, reason_text, finished_at}], total_items}`; `total_items`"
        " counts all that match, whatever `--limit`"
    ),
    ("rule", "logs-cleanup"): (
        "`{deleted}`: how many entries `rule logs` leaves out from now on. `task logs` still has them"
    ),
    ("time-compute",): (
        "a bare instant on standard output. Anchors: `end_of_day`, `end_of_week`, `end_of_month`, `today_at {time}`,"
        " `tomorrow_at {time}`, `next_weekday {weekday, time?}`, `add {amount, unit}` (minutes, hours, days, weeks,"
        " months), `date {month_day, time?}`, `date_full {date, time?}`; times are `HH:MM:SS`, not given 23:59:59"
    ),
    ("person", "list"): f"a list of {_PERSON}",
    ("person", "add"): _PERSON,
    ("person", "update"): _PERSON,
    ("person", "delete"): _PERSON,
    ("scope", "home", "list"): "`[{home_id, home_name, in_use, timezone}]`",
    ("scope", "camera", "list"): _CAMERA,
    ("scope", "camera", "enable"): f"the cameras named: {_CAMERA}",
    ("scope", "camera", "disable"): f"the cameras named: {_CAMERA}",
    ("device", "list"): (
        "no JSON: `# home=NAME`, the names of the columns (`did device_name room category online`), a line for each"
        " device; tabs between the columns"
    ),
    ("device", "spec"): (
        "no JSON: for each device `# did=… name=… room=…`, then lines `iid name | access | format | constraint | unit`;"
        " access is `r`, `w`, `rw`, or `x` for an action, whose arguments follow"
    ),
    ("device", "props"): _PROPS,
    ("device", "control"): _PROPS,
    ("device", "action"): "`{did, iid, name, code, error}`",
    ("notify", "push"): "`{pushed, deduplicated, occurrence_id}`",
    ("version",): "`{version}`",
}

ERRORS: dict[Chain, str] = {
    ("task", "create"): "1002 a `task_id` or description that cannot be used · 2002 `task_already_exists`",
    ("task", "link"): f"{_NO_TASK} · 2001 no such cron job · 1002 `wrong_kind` · 2002 `link_already_exists`",
    ("task", "get"): _NO_TASK,
    ("task", "update"): f"{_NO_TASK} · 1002 a description that cannot be used",
    ("task", "disable"): _NO_TASK,
    ("task", "enable"): f"{_NO_TASK} · 2000 its end has come",
    ("task", "delete"): _NO_TASK,
    ("task", "apply"): f"1002 a plan that cannot be used, with the place · 2002 `task_already_exists` · {_RULE_INPUT}",
    ("task", "undo"): f"{_NO_TASK} · 2000 nothing to take back",
    ("task", "logs"): f"{_NO_TASK}, also among those that ended",
    ("task", "record", "init"): f"{_NO_TASK} · 2002 `record_already_exists` · 1002 content that cannot be used",
    ("task", "record", "get"): _NO_RECORD,
    ("task", "record", "compute"): f"{_NO_RECORD} · 1002 a day that cannot be read",
    ("task", "record", "archive", "list"): _NO_RECORD,
    ("task", "record", "update"): f"{_NO_RECORD} · 1002 a field that may not be changed, or nothing to change",
    ("task", "record", "progress-inc"): _WRITE,
    ("task", "record", "event-append"): _WRITE,
    ("task", "record", "session-start"): _WRITE,
    ("task", "record", "session-end"): f"{_WRITE} · 1002 `schema_invalid` (no session under way)",
    ("rule", "create"): f"{_NO_TASK} · 2002 `rule_already_exists` · {_RULE_INPUT}",
    ("rule", "update"): f"{_NO_RULE} · 2002 `rule_already_exists` · {_RULE_INPUT}",
    ("rule", "enable"): _NO_RULE,
    ("rule", "disable"): _NO_RULE,
    ("rule", "delete"): _NO_RULE,
    ("rule", "trigger"): "2000 no such rule, it is disabled, or it has nothing to answer with",
    ("rule", "logs"): "2001 `rule_not_found`",
    ("time-compute",): (
        "not JSON but `error: CODE TEXT`, exit code 1: `invalid_now_iso`, `invalid_anchor`, `invalid_time`,"
        " `invalid_weekday`, `invalid_amount`, `invalid_unit`, `invalid_month_day`, `invalid_date`"
    ),
    ("person", "add"): "1002 a name that cannot be used · 2002 `person_already_exists`",
    ("person", "update"): "2001 no such person · 2002 `person_already_exists`",
    ("person", "delete"): "2001 no such person",
    ("scope", "camera", "enable"): (
        "1002 no such camera, with those there are · 2000 the camera is offline, or four are in use; then none of them"
        " changes"
    ),
    ("scope", "camera", "disable"): "1002 no such camera, with those there are",
    ("device", "spec"): "2001 no such device, with the nearest ones",
    ("device", "props"): _DEVICE,
    ("device", "control"): _DEVICE,
    (
        "device",
        "action",
    ): "2001 no such device · 1002 no such action, or arguments it does not take · 3200 with the data",
    ("notify", "push"): "1002 nothing to say, or too much",
}
