"""Pictures over HTTP: what is taken, what is refused before it is read, and what comes back."""

from __future__ import annotations

import pytest
from tests.notices.drawn import heic, jpeg, png

from zhixing.faces.http.door import PICTURE_BODY
from zhixing.notices.pictures import LARGEST_PICTURE


@pytest.fixture
def dialect() -> str:
    return "sqlite"


def give(client, data: bytes, media: str = "image/png", headers: dict[str, str] | None = None, **fields: str):
    return client(
        "POST", "/api/v1/pictures", files={"file": ("截图.png", data, media)}, data=fields, headers=headers or {}
    )


def code(answer) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def test_a_picture_is_kept_and_waits(client) -> None:
    answer = give(client, png(1080, 2400), text="记一下")
    assert answer.status_code == 201
    told = answer.json()
    assert (told["state"], told["source"], told["text"], told["title"]) == ("pending_ai", "image", "记一下", "记一下")
    assert told["picture"] == {
        "mediaType": "image/png",
        "width": 1080,
        "height": 2400,
        "size": len(png(1080, 2400)),
    }
    assert told["transcript"] is None


def test_words_beside_it_are_not_needed(client) -> None:
    told = give(client, png()).json()
    assert (told["text"], told["title"]) == ("", "图片")


def test_everything_that_can_be_said_beside_it_is_kept(client) -> None:
    told = give(
        client,
        jpeg(),
        "image/jpeg",
        messageDate="2026-10-11",
        submittedAt="2026-10-12T09:00:00+08:00",
        zone="Asia/Tokyo",
        entry="note",
    ).json()
    assert (told["messageDate"], told["submittedAt"], told["zone"]) == (
        "2026-10-11",
        "2026-10-12T10:00:00+09:00",
        "Asia/Tokyo",
    )
    assert told["state"] == "note"


def test_the_same_key_again_keeps_nothing_twice(client) -> None:
    first = give(client, png(), headers={"Idempotency-Key": "shot"}).json()
    assert give(client, png(), headers={"Idempotency-Key": "shot"}).json()["id"] == first["id"]


def test_it_comes_back_as_it_came(client) -> None:
    told = give(client, heic(), "image/heic").json()
    answer = client("GET", f"/api/v1/tasks/{told['id']}/picture")
    assert (answer.status_code, answer.headers["content-type"], answer.content) == (200, "image/heic", heic())
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_task_without_a_picture_has_none_to_give(client) -> None:
    told = client.say("买牛奶")
    assert told["picture"] is None
    assert code(client("GET", f"/api/v1/tasks/{told['id']}/picture")) == (404, "picture_unknown_task")


@pytest.mark.parametrize("media", ["application/octet-stream", "image/jpg", ""])
def test_a_type_given_out_of_ignorance_does_no_harm(client, media) -> None:
    assert give(client, jpeg(), media).json()["picture"]["mediaType"] == "image/jpeg"


@pytest.mark.parametrize(
    ("data", "media", "key"),
    [
        (png()[:-20], "image/png", "picture_broken"),
        (jpeg(), "image/png", "picture_other_type"),
        (b"GIF89a" + bytes(64), "image/gif", "picture_unknown"),
        (b"<script>alert(1)</script>" + png(), "image/png", "picture_unknown"),
        (b"", "image/png", "picture_unknown"),
        (png(8, 8), "image/png", "picture_small"),
    ],
)
def test_what_is_no_picture_is_refused_in_one_line_and_nothing_is_kept(client, data, media, key) -> None:
    assert code(give(client, data, media)) == (400, key)
    assert client.get("/api/v1/tasks")["tasks"] == []


def test_a_small_file_of_enormous_measures_is_refused(client) -> None:
    assert code(give(client, png(60_000, 60_000))) == (413, "picture_pixels")


def test_one_byte_more_than_ten_megabytes_is_refused(client) -> None:
    assert code(give(client, png() + bytes(LARGEST_PICTURE + 1 - len(png())))) == (413, "picture_large")
    assert give(client, png() + bytes(LARGEST_PICTURE - len(png()))).status_code == 201


def test_a_body_beyond_the_bound_is_refused_before_it_is_read(client) -> None:
    answer = client(
        "POST",
        "/api/v1/pictures",
        content=b"x",
        headers={"Content-Type": "multipart/form-data; boundary=x", "Content-Length": str(PICTURE_BODY + 1)},
    )
    assert code(answer) == (413, "body_large")


def test_a_body_that_does_not_say_how_long_it_is_ends_at_the_bound(client) -> None:
    async def endless():
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
        for _ in range(200):
            yield bytes(1 << 20)

    answer = client(
        "POST", "/api/v1/pictures", content=endless(), headers={"Content-Type": "multipart/form-data; boundary=x"}
    )
    assert code(answer) == (413, "body_large")


def test_other_routes_keep_their_own_smaller_bound(client) -> None:
    answer = client(
        "POST", "/api/v1/say", content=b"{}" + b" " * (2 << 20), headers={"Content-Type": "application/json"}
    )
    assert code(answer) == (413, "body_large")


@pytest.mark.parametrize("media", ["application/json", "image/png", "application/x-www-form-urlencoded"])
def test_only_forms_of_several_parts_are_taken(client, media) -> None:
    answer = client("POST", "/api/v1/pictures", content=png(), headers={"Content-Type": media})
    assert code(answer) == (415, "media_no_form")


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"unknown": "1"}, "field_unknown"),
        ({"zone": "Mars"}, "zone_unknown"),
        ({"messageDate": "gestern"}, "date_unreadable"),
        ({"submittedAt": "2026-10-12T10:00:00"}, "instant_without_offset"),
        ({"entry": "diary"}, "field_wrong"),
    ],
)
def test_what_is_said_beside_it_has_to_be_right(client, fields, key) -> None:
    assert code(give(client, png(), **fields)) == (400, key)


def test_a_form_without_a_file_is_refused_by_name(client) -> None:
    answer = client("POST", "/api/v1/pictures", files={"text": (None, "你好")})
    assert code(answer) == (400, "field_missing")


def test_a_text_in_place_of_the_file_is_refused(client) -> None:
    answer = client("POST", "/api/v1/pictures", files={"file": (None, "你好")})
    assert code(answer) == (400, "field_wrong")


def test_a_form_that_is_none_is_refused(client) -> None:
    answer = client(
        "POST", "/api/v1/pictures", content=b"\x00" * 64, headers={"Content-Type": "multipart/form-data; boundary=x"}
    )
    assert answer.status_code == 400


def test_too_long_words_beside_it_are_refused(client) -> None:
    assert code(give(client, png(), text="字" * 20_001)) == (413, "text_long")


def test_nobody_without_the_token_gets_a_picture_in_or_out(client, stranger) -> None:
    told = give(client, png()).json()
    assert code(give(stranger, png())) == (401, "token_missing")
    assert code(stranger("GET", f"/api/v1/tasks/{told['id']}/picture")) == (401, "token_missing")
