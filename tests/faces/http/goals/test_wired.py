"""The home as it is really put together: its goals, its bots and their tokens are those behind the doors."""

from __future__ import annotations

from tests.faces.http.goals.conftest import PREFIX, data_of, refused, request


def test_a_real_home_takes_goals_and_knows_the_tokens_of_its_bots(app, api, client, connect) -> None:
    task_id = data_of(client("POST", f"{PREFIX}/execute", json=request()))["task_id"]
    assert data_of(client("GET", f"{PREFIX}/dashboard?task_id={task_id}"))["status"] == "EXECUTING"
    assert data_of(client("GET", f"{PREFIX}/bots"))["total"] == len(app.goals.catalog)
    bot = connect(api, {"Authorization": f"Bearer {app.goals.tokens.issue('owner')}"})
    assert data_of(bot("GET", f"{PREFIX}/dashboard?task_id={task_id}"))["task_id"] == task_id
    refused(bot("POST", f"{PREFIX}/cancel", json={"task_id": task_id}), 403)
    app.goals.tokens.revoke("owner")
    refused(bot("GET", f"{PREFIX}/dashboard?task_id={task_id}"), 401)
