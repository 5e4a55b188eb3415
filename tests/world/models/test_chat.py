from __future__ import annotations

import base64
import json
import logging
import socket
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from zhixing.kernel.clock import SystemClock
from zhixing.kernel.errors import BadInput
from zhixing.world.models.chat import ChatModel, Patience
from zhixing.world.models.failures import ModelFailure, ModelGarbled, ModelRefused, ModelUnavailable, Why
from zhixing.world.models.port import Effort
from zhixing.world.models.usage import Prices, Tokens

KEY = "sk-hunter2-hunter2"
CHATGPT_LIKE = "https://h.example/v1"


@pytest.fixture
def model(provider, clock):
    return ChatModel(provider.url, "m-text", clock, key=KEY, vision="m-vision")


# What is sent


def test_the_question_goes_to_chat_completions_with_the_key(model, provider, prompt):
    provider.answers()

    model.ask(prompt)

    (asked,) = provider.asked
    assert asked.path == "/path-password/v1/chat/completions"
    assert asked.headers["Authorization"] == f"Bearer {KEY}"
    assert asked.headers["Content-Type"] == "application/json; charset=utf-8"
    assert asked.headers["User-Agent"] == "zhixing-model/1"
    assert asked.headers["Accept-Encoding"] == "identity"


@pytest.mark.parametrize(
    ("added", "path"),
    [
        ("/", "/path-password/v1/chat/completions"),
        ("/chat/completions", "/path-password/v1/chat/completions"),
        ("?version=2", "/path-password/v1/chat/completions?version=2"),
    ],
)
def test_an_address_is_completed_however_much_of_it_was_configured(provider, clock, prompt, added, path):
    provider.answers()

    ChatModel(provider.url + added, "m-text", clock).ask(prompt)

    assert provider.asked[0].path == path


def test_without_a_key_there_is_no_authorization(provider, clock, prompt):
    provider.answers()

    ChatModel(provider.url, "m-text", clock, key=" ").ask(prompt)

    assert "Authorization" not in provider.asked[0].headers


def test_a_text_is_asked_about_with_little_effort_and_an_enforced_shape(model, provider, prompt):
    provider.answers()

    model.ask(prompt)

    (asked,) = provider.asked
    assert asked.json["model"] == "m-text"
    assert asked.json["reasoning_effort"] == "low"
    assert asked.json["max_tokens"] == 4096
    assert asked.json["stream"] is False
    assert asked.json["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "notice", "strict": True, "schema": prompt.shape.schema},
    }
    assert asked.roles == ["system", "user"]
    assert asked.words(0).startswith("你读通知。")
    assert asked.words(1) == "【群通知】10月12日交化学作业"


def test_an_image_is_asked_about_with_high_effort_and_travels_inside_the_question(model, provider, picture):
    provider.answers()

    model.ask(picture)

    (asked,) = provider.asked
    assert asked.json["model"] == "m-vision"
    assert asked.json["reasoning_effort"] == "high"
    words, image = asked.words(1)
    assert words == {"type": "text", "text": "这张图里说了什么？"}
    assert image["image_url"]["url"] == "data:image/png;base64," + base64.b64encode(b"\x89PNG-pixels").decode()


def test_a_prompt_may_want_another_effort(model, provider, prompt):
    provider.answers()

    model.ask(replace(prompt, effort=Effort.HIGH))

    assert provider.asked[0].json["reasoning_effort"] == "high"


def test_without_a_shape_none_is_asked_for(model, provider, prompt):
    provider.says("好")

    model.ask(replace(prompt, shape=None))

    assert "response_format" not in provider.asked[0].json
    assert "JSON" not in provider.asked[0].words(0)


def test_without_rules_there_is_no_system_message(model, provider, prompt):
    provider.says("好")

    model.ask(replace(prompt, system="", shape=None))

    assert provider.asked[0].roles == ["user"]


def test_a_repair_shows_the_reply_names_the_error_and_asks_for_the_same_shape(model, provider, prompt):
    provider.says('{"title": "交化学作业"}')
    provider.answers()

    model.ask(prompt)

    first, second = provider.asked
    assert second.roles == ["system", "user", "assistant", "user"]
    assert second.words(1) == first.words(1)
    assert second.words(2) == '{"title": "交化学作业"}'
    assert "回答缺少 day" in second.words(3)
    assert second.json["response_format"] == first.json["response_format"]
    assert prompt.shape.text() in second.words(0)


def test_the_repair_of_an_empty_reply_keeps_the_roles_in_turn(model, provider, prompt):
    """An empty assistant message is refused by many servers, and two of the user in a row by some."""
    provider.says("")
    provider.answers()

    model.ask(prompt)

    assert provider.asked[1].roles == ["system", "user"]
    assert "回答是空的" in provider.asked[1].words(1)


def test_a_long_reply_is_shown_again_only_in_part(model, provider, prompt):
    provider.says("废话" * 50_000)
    provider.answers()

    model.ask(prompt)

    assert len(provider.asked[1].words(2)) == 20_000


# Servers that know less

NO_SCHEMA = [
    (400, "This response_format type is unavailable now"),
    (422, "Failed to deserialize: response_format.type `json_schema` is unavailable now at line 1 column 12440"),
    (400, "Invalid schema for response_format 'notice'"),
]


@pytest.mark.parametrize(("status", "message"), NO_SCHEMA)
def test_a_server_without_schemas_is_asked_for_any_object_and_shown_the_schema(
    model, provider, prompt, status, message
):
    provider.refuses(status, message)
    provider.answers()

    assert model.ask(prompt).value == provider.good

    second = provider.asked[1]
    assert second.json["response_format"] == {"type": "json_object"}
    assert prompt.shape.text() in second.words(0)
    assert "json" in second.words(0).lower()  # some refuse to write JSON when the word is not there
    assert second.json["reasoning_effort"] == "low"


def test_a_server_that_knows_no_format_at_all_is_asked_in_words_only(model, provider, prompt):
    provider.gives(400, {"error": "'response_format.type' must be 'text'"})
    provider.gives(400, {"object": "error", "message": {"detail": [{"loc": ["body", "response_format"]}]}})
    provider.answers()

    assert model.ask(prompt).value == provider.good

    assert "response_format" not in provider.asked[2].json
    assert prompt.shape.text() in provider.asked[2].words(0)


NO_EFFORT = [
    (400, {"message": "Unrecognized request argument supplied: reasoning_effort", "code": None}),
    (400, {"message": "Unsupported value: 'low' is not supported with this model.", "param": "reasoning_effort"}),
    (400, {"message": '"llama3.1:8b" does not support thinking'}),
    (500, {"message": 'think value "low" is not supported for this model', "type": "api_error"}),
]


@pytest.mark.parametrize(("status", "error"), NO_EFFORT)
def test_a_server_that_cannot_be_told_how_hard_to_think_is_not_told(model, provider, prompt, status, error):
    provider.refuses(status, **error)
    provider.answers()

    assert model.ask(prompt).value == provider.good

    second = provider.asked[1]
    assert "reasoning_effort" not in second.json
    assert second.json["response_format"]["type"] == "json_schema"


def test_a_server_that_bounds_thoughts_as_well_is_told_the_bound_its_way(model, provider, prompt):
    message = (
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    )
    provider.refuses(400, message, param="max_tokens", code="unsupported_parameter")
    provider.answers()

    assert model.ask(prompt).value == provider.good

    second = provider.asked[1]
    assert second.json["max_completion_tokens"] == 4096
    assert "max_tokens" not in second.json


@pytest.mark.parametrize(
    "message",
    [
        "parameter.enable_thinking must be set to false for non-streaming calls",
        "Json mode response is not supported when enable_thinking is true",
    ],
)
def test_a_server_whose_model_thinks_only_in_a_stream_is_asked_without_thinking(model, provider, prompt, message):
    provider.refuses(400, message)
    provider.answers()

    assert model.ask(prompt).value == provider.good

    second = provider.asked[1]
    assert second.json["enable_thinking"] is False
    assert "reasoning_effort" not in second.json
    assert second.json["response_format"]["type"] == "json_schema"


def test_an_image_is_rather_read_without_an_enforced_shape_than_without_thinking(model, provider, picture):
    for _ in range(2):
        provider.refuses(400, "Json mode response is not supported when enable_thinking is true")
    provider.answers()

    assert model.ask(picture).value == provider.good

    third = provider.asked[2]
    assert "response_format" not in third.json
    assert "enable_thinking" not in third.json
    assert third.json["reasoning_effort"] == "high"


def test_what_a_server_does_not_know_is_remembered_for_that_model(model, provider, prompt, picture):
    provider.refuses(400, "Unrecognized request argument supplied: reasoning_effort")
    provider.refuses(400, "This response_format type is unavailable now")
    for _ in range(3):
        provider.answers()

    model.ask(prompt)
    model.ask(prompt)
    model.ask(picture)

    assert len(provider.asked) == 5
    assert "reasoning_effort" not in provider.asked[3].json
    assert provider.asked[3].json["response_format"] == {"type": "json_object"}
    assert provider.asked[4].json["reasoning_effort"] == "high"
    assert provider.asked[4].json["response_format"]["type"] == "json_schema"


def test_a_refusal_that_only_repeats_the_words_teaches_nothing(model, provider, prompt):
    """The simpler request was refused as well: it was about something else."""
    for _ in range(3):
        provider.refuses(400, "bad request: {response_format: …}")
    with pytest.raises(ModelRefused):
        model.ask(prompt)
    provider.answers()

    model.ask(prompt)

    assert provider.asked[-1].json["response_format"]["type"] == "json_schema"


def test_words_behind_the_beginning_of_a_refusal_are_the_requests_own(model, provider, prompt):
    provider.refuses(400, "bad roles; messages = " + "x" * 400 + " response_format reasoning_effort")

    with pytest.raises(ModelRefused):
        model.ask(prompt)

    assert len(provider.asked) == 1


def test_a_server_that_is_down_teaches_nothing_whatever_it_says(model, provider, clock, prompt):
    provider.refuses(503, "backend of response_format and reasoning_effort is starting")
    provider.answers()

    model.ask(prompt)

    assert provider.asked[1].json == provider.asked[0].json
    assert clock.monotonic() == 1


def test_a_format_that_was_not_asked_for_is_not_what_is_refused(model, provider, prompt):
    provider.refuses(400, "no response_format here")

    with pytest.raises(ModelRefused):
        model.ask(replace(prompt, shape=None))

    assert len(provider.asked) == 1


def test_changing_the_dialect_costs_no_time_and_no_patience(provider, clock, prompt):
    provider.refuses(400, "This response_format type is unavailable now")
    provider.refuses(400, "response_format")
    provider.refuses(400, "reasoning_effort")
    provider.answers()
    start = clock.monotonic()

    ChatModel(provider.url, "m-text", clock, patience=Patience(tries=1)).ask(prompt)

    assert clock.monotonic() == start


# What needs a person

NEVER = [
    (400, {}, Why.REQUEST, True),
    (401, {"code": "invalid_api_key"}, Why.KEY, False),
    (401, {"code": "insufficient_quota"}, Why.QUOTA, False),
    (402, {"message": "Insufficient Balance"}, Why.QUOTA, False),
    (403, {}, Why.FORBIDDEN, False),
    (403, {"code": "insufficient_user_quota"}, Why.QUOTA, False),
    (404, {"code": "model_not_found"}, Why.NOT_FOUND, False),
    (405, {}, Why.NOT_FOUND, False),
    (409, {}, Why.REQUEST, True),
    (413, {}, Why.TOO_LONG, True),
    (422, {}, Why.REQUEST, True),
    (429, {"code": "insufficient_quota"}, Why.QUOTA, False),
    (429, {"type": "exceeded_current_quota_error"}, Why.QUOTA, False),
    (429, {"code": "1113"}, Why.QUOTA, False),
    (400, {"code": "Arrearage"}, Why.QUOTA, False),
    (400, {"code": "context_length_exceeded"}, Why.TOO_LONG, True),
    (400, {"code": 400, "type": "exceed_context_size_error"}, Why.TOO_LONG, True),
    (400, {"type": "content_filter"}, Why.DECLINED, True),
    (400, {"code": "data_inspection_failed"}, Why.DECLINED, True),
]


@pytest.mark.parametrize("case", NEVER, ids=str)
def test_what_needs_a_person_is_told_at_once_and_never_tried_again(model, provider, prompt, case):
    status, error, why, concerns_prompt = case
    provider.refuses(status, headers={"Retry_After": "1"}, **error)

    with pytest.raises(ModelRefused) as refused:
        model.ask(prompt)

    assert refused.value.why is why
    assert refused.value.concerns_prompt is concerns_prompt
    assert len(provider.asked) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(model, provider, prompt, status):
    provider.gives(status, b"", Location="/elsewhere")

    with pytest.raises(ModelRefused) as refused:
        model.ask(prompt)

    assert refused.value.why is Why.MOVED
    assert len(provider.asked) == 1


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (500, "image input is not supported - hint: you may need to provide the mmproj"),
        (400, "this model does not support image input"),
        (400, "Failed to deserialize: messages[1]: unknown variant `image_url`, expected `text`"),
    ],
)
def test_a_model_that_takes_no_images_is_told_apart_from_a_failing_server(model, provider, picture, status, message):
    provider.refuses(status, message)

    with pytest.raises(ModelRefused) as refused:
        model.ask(picture)

    assert refused.value.why is Why.NO_IMAGES


def test_a_failing_server_that_repeats_the_question_is_still_only_failing(provider, clock, prompt):
    provider.refuses(500, "cannot parse messages: " + "x" * 300 + " it does not support image input")

    with pytest.raises(ModelUnavailable):
        ChatModel(provider.url, "m-text", clock, patience=Patience(tries=1)).ask(prompt)


@pytest.mark.parametrize(
    "more",
    [
        {"refusal": "I cannot help with that.", "content": None},
        {"finish": "content_filter", "content": ""},
        {"finish": "sensitive", "content": ""},
    ],
)
def test_a_model_that_declines_is_not_asked_to_repair_it(model, provider, prompt, more):
    provider.says(**more)

    with pytest.raises(ModelRefused) as refused:
        model.ask(prompt)

    assert refused.value.why is Why.DECLINED
    assert refused.value.concerns_prompt


# What passes


@pytest.mark.parametrize("status", [408, 425, 429, 500, 501, 502, 503, 504, 529])
def test_what_passes_is_tried_again_with_growing_pauses_and_then_left_for_later(model, provider, clock, prompt, status):
    for _ in range(4):
        provider.refuses(status)

    with pytest.raises(ModelUnavailable) as unavailable:
        model.ask(prompt)

    assert unavailable.value.why is (Why.BUSY if status < 500 else Why.SERVER_FAILED)
    assert unavailable.value.detail == str(status)
    assert len(provider.asked) == 4
    assert clock.monotonic() == 1 + 2 + 4


def test_who_comes_back_is_answered_as_if_nothing_had_been(model, provider, clock, prompt):
    provider.refuses(500)
    provider.closes()
    provider.answers()

    reply = model.ask(prompt)

    assert reply.value == provider.good
    assert reply.elapsed == timedelta(seconds=1 + 2)
    assert clock.monotonic() == 1 + 2


@pytest.mark.parametrize("header", ["7", "Mon, 12 Oct 2026 02:00:07 GMT"])
def test_a_busy_server_is_left_alone_as_long_as_it_says(model, provider, clock, prompt, header):
    provider.refuses(429, headers={"Retry_After": header})
    provider.answers()

    model.ask(prompt)

    assert clock.monotonic() == 7


def test_a_server_that_wants_to_be_asked_at_once_is_not_hammered(model, provider, clock, prompt):
    provider.refuses(429, headers={"Retry_After": "0"})
    provider.answers()

    model.ask(prompt)

    assert clock.monotonic() == 1


def test_a_wait_that_would_outlast_the_prompt_is_left_to_whoever_asked(model, provider, clock, prompt):
    provider.refuses(429, headers={"Retry_After": "3600"})

    with pytest.raises(ModelUnavailable) as unavailable:
        model.ask(prompt)

    assert unavailable.value.after == timedelta(hours=1)
    assert clock.monotonic() == 0


def test_one_deadline_covers_all_tries_and_the_repair(model, provider, clock, prompt):
    provider.refuses(500)
    provider.refuses(500)
    provider.says("我看不懂。")
    provider.refuses(500)

    with pytest.raises(ModelUnavailable):
        model.ask(replace(prompt, seconds=3.5))

    assert clock.monotonic() == 1 + 2
    assert len(provider.asked) == 4


@pytest.mark.parametrize("behaviour", ["closes", "breaks_off", "talks_garbage"])
def test_a_connection_that_breaks_is_tried_again(model, provider, prompt, behaviour):
    getattr(provider, behaviour)()
    provider.answers()

    assert model.ask(prompt).value == provider.good


@pytest.mark.parametrize("behaviour", ["hangs", "drips"])
def test_the_whole_question_is_bounded_however_the_server_stalls(provider, prompt, behaviour):
    getattr(provider, behaviour)()

    with pytest.raises(ModelUnavailable) as unavailable:
        ChatModel(provider.url, "m-text", SystemClock()).ask(replace(prompt, seconds=0.2))

    assert unavailable.value.why is Why.NO_ANSWER
    assert len(provider.asked) == 1


def failing_at(url: str, clock, prompt) -> ModelFailure:
    with pytest.raises(ModelUnavailable) as unavailable:
        ChatModel(url, "m-text", clock, patience=Patience(tries=1)).ask(prompt)
    return unavailable.value


def test_nobody_listening_is_told(closed_port, clock, prompt):
    assert failing_at(f"http://127.0.0.1:{closed_port}/v1", clock, prompt).why is Why.UNREACHABLE


def test_an_unknown_host_is_told(clock, prompt):
    assert failing_at("http://nobody.invalid/v1", clock, prompt).why is Why.HOST_UNKNOWN


def test_a_failed_tls_handshake_is_told(provider, clock, prompt):
    assert failing_at(provider.url.replace("http://", "https://"), clock, prompt).why is Why.TLS_FAILED


def test_no_proxy_is_taken_from_the_environment(model, provider, prompt, closed_port, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{closed_port}")
    provider.answers()

    assert model.ask(prompt).value == provider.good


# What an answer may look like


@pytest.mark.parametrize("media_type", ["text/plain", "text/html; charset=gbk", ""])
def test_an_answer_is_read_whatever_it_is_labelled(model, provider, prompt, media_type):
    answer = {"choices": [{"message": {"content": json.dumps(provider.good)}}]}
    provider.gives(200, answer, Content_Type=media_type)

    assert model.ask(prompt).value == provider.good


def test_blank_lines_before_an_answer_are_how_some_keep_the_line_open(model, provider, prompt):
    answer = {"choices": [{"message": {"content": json.dumps(provider.good)}}]}
    provider.gives(200, b"\n\n \n" + json.dumps(answer).encode())

    assert model.ask(prompt).value == provider.good


@pytest.mark.parametrize(
    "body",
    [
        b"<!doctype html><title>Sign in to the Wi-Fi</title>",
        b"",
        b"[]",
        b"null",
        b'{"message": {"content": "{}"}, "done": true}',
        b'{"choices": []}',
        b'{"choices": [{"text": "old completions"}]}',
        b'data: {"choices": []}\n\ndata: [DONE]\n\n',
        b"[" * 100_000,
    ],
)
def test_an_answer_that_is_no_completion_is_nobodys_reply(provider, clock, prompt, body):
    provider.gives(200, body)

    with pytest.raises(ModelUnavailable) as unavailable:
        ChatModel(provider.url, "m-text", clock, patience=Patience(tries=1)).ask(prompt)

    assert unavailable.value.why is Why.NOT_A_MODEL


def test_a_flood_is_not_drunk_to_the_end(model, provider, prompt):
    provider.floods()

    with pytest.raises(ModelGarbled) as garbled:
        model.ask(prompt)

    assert garbled.value.why is Why.TOO_BIG
    assert len(provider.asked) == 1


def test_of_several_choices_the_first_counts(model, provider, prompt):
    choices = [
        {"message": {"content": json.dumps(value)}} for value in (provider.good, {"title": "另一个", "day": None})
    ]
    provider.gives(200, {"choices": choices})

    assert model.ask(prompt).value == provider.good


def test_thoughts_sent_as_a_part_of_their_own_are_not_the_reply(model, provider, prompt):
    parts = [{"type": "thinking", "thinking": [{"text": "{"}]}, {"type": "text", "text": json.dumps(provider.good)}]
    provider.gives(200, {"choices": [{"message": {"content": parts}}]})

    assert model.ask(prompt).value == provider.good


def test_thoughts_are_never_taken_for_the_reply(model, provider, prompt):
    for _ in range(2):
        provider.says("", reasoning_content=json.dumps(provider.good))

    with pytest.raises(ModelGarbled) as garbled:
        model.ask(prompt)

    assert garbled.value.why is Why.EMPTY


@pytest.mark.parametrize("finish", ["insufficient_system_resource", "network_error", "error"])
def test_a_model_that_broke_off_by_itself_is_tried_again(model, provider, prompt, finish):
    provider.says('{"title": "交', finish=finish)
    provider.answers()

    assert model.ask(prompt).value == provider.good
    assert len(provider.asked) == 2


@pytest.mark.parametrize(
    ("error", "why"),
    [
        ({"code": 429, "message": "rate limited upstream"}, Why.BUSY),
        ({"code": 502, "message": "provider returned error"}, Why.SERVER_FAILED),
        ({"message": "no code"}, Why.SERVER_FAILED),
        ("just words", Why.SERVER_FAILED),
        ({"code": 402, "message": "no credits"}, Why.QUOTA),
    ],
)
def test_an_error_inside_a_success_is_an_error(provider, clock, prompt, error, why):
    provider.gives(200, {"error": error})
    provider.gives(200, {"choices": [{"message": {"content": ""}, "finish_reason": None, "error": error}]})
    model = ChatModel(provider.url, "m-text", clock, patience=Patience(tries=1))

    for _ in range(2):
        with pytest.raises(ModelFailure) as failure:
            model.ask(prompt)
        assert failure.value.why is why


# What it costs


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        (
            {"prompt_tokens": 90, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 64}},
            Tokens(90, 5, 64),
        ),
        ({"prompt_tokens": 90, "completion_tokens": 5, "prompt_cache_hit_tokens": 64}, Tokens(90, 5, 64)),
        ({"prompt_tokens": 90, "completion_tokens": 5, "prompt_tokens_details": None}, Tokens(90, 5)),
        ({"prompt_tokens": True, "completion_tokens": "5"}, Tokens()),
        ({"prompt_tokens": -1, "completion_tokens": 10**30}, Tokens()),
        (["odd"], Tokens()),
    ],
)
def test_tokens_are_counted_as_the_server_counts_them(model, provider, prompt, usage, tokens):
    provider.says(provider.good, usage=usage)

    assert model.ask(prompt).tokens == tokens


def test_a_model_with_a_price_costs_and_one_without_does_not(provider, clock, prompt, picture):
    spent = []
    prices = {"m-text": Prices(read=Decimal("0.8"), written=Decimal(2))}
    model = ChatModel(provider.url, "m-text", clock, vision="m-vision", prices=prices, on_usage=spent.append)
    provider.answers()
    provider.answers()

    model.ask(prompt)
    model.ask(picture)

    assert [(each.model, each.cost) for each in spent] == [("m-text", 80 + 40), ("m-vision", None)]


def test_every_request_is_counted_even_one_that_brought_nothing(provider, clock, prompt):
    spent = []
    provider.refuses(400, "This response_format type is unavailable now")
    provider.refuses(503)
    provider.answers()

    ChatModel(provider.url, "m-text", clock, on_usage=spent.append).ask(prompt)

    assert [each.outcome.value for each in spent] == ["failed", "failed", "answered"]


# Configuration and secrets

UNUSABLE = ["", "h.example", "http://", "ftp://h.example/v1", "http://h:0/", "http://h/a\nb", "file:///etc/hosts"]


@pytest.mark.parametrize("address", UNUSABLE)
def test_an_address_that_cannot_be_asked_is_refused_at_once(clock, address):
    with pytest.raises(BadInput) as refused:
        ChatModel(address, "m-text", clock)

    assert "model.base_url" in str(refused.value)


def test_an_address_with_a_password_is_refused_without_repeating_it(clock):
    with pytest.raises(BadInput) as refused:
        ChatModel("https://me:hunter2@h.example/v1", "m-text", clock)

    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("key", ["sk-hunter2 x", "密钥hunter2", "sk-hunter2\r\nX-Other: 1", "sk-hunter2\u200b"])
def test_a_key_that_no_header_carries_is_refused_without_repeating_it(clock, key):
    with pytest.raises(BadInput) as refused:
        ChatModel(CHATGPT_LIKE, "m-text", clock, key=key)

    assert "model.key" in str(refused.value)
    assert "hunter2" not in str(refused.value) + repr(refused.value)


SCENES = {
    "answered": lambda provider: provider.answers(),
    "refused": lambda provider: provider.refuses(401, f"Incorrect API key provided: {KEY}"),
    "rejected": lambda provider: provider.refuses(400, "您的话：通知机密"),
    "failing": lambda provider: [provider.refuses(500, "通知机密") for _ in range(4)],
    "garbled": lambda provider: [provider.says("回答机密") for _ in range(2)],
    "broken": lambda provider: [provider.talks_garbage() for _ in range(4)],
}


@pytest.mark.parametrize("scene", SCENES)
def test_secrets_reach_neither_logs_nor_errors(model, provider, prompt, caplog, scene):
    caplog.set_level(logging.DEBUG)
    SCENES[scene](provider)
    told = repr(model)
    try:
        told += repr(model.ask(prompt))
    except ModelFailure as failure:
        told += str(failure) + repr(failure) + repr(failure.__cause__) + repr(failure.__context__)

    for secret in (KEY, "path-password", "机密", "化学"):
        assert secret not in told + caplog.text


def test_the_next_address_of_a_host_is_tried_when_the_first_refuses(model, provider, prompt, monkeypatch):
    resolve = socket.getaddrinfo

    def two_addresses(_host, port, *args, **kwargs):
        return [found for host in ("127.0.0.2", "127.0.0.1") for found in resolve(host, port, *args, **kwargs)]

    monkeypatch.setattr(socket, "getaddrinfo", two_addresses)
    provider.answers()

    assert model.ask(prompt).value == provider.good
