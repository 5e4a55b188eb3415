"""Pictures from the command line."""

from __future__ import annotations

import json

import pytest
from tests.notices.drawn import jpeg, png

from zhixing.notices.pictures import LARGEST_PICTURE


@pytest.fixture
def shot(tmp_path):
    file = tmp_path / "截图.png"
    file.write_bytes(png(1080, 2400))
    return file


def test_a_picture_is_kept_and_the_words_are_its_caption(terminal, shot):
    done = terminal("say", "--image", str(shot), "这是", "班群的通知")
    assert (done.code, done.lines[:4]) == (
        0,
        [
            "t1  这是 班群的通知",
            "  图片：PNG，1080×2400 像素",
            "  附言：这是 班群的通知",
            "  已保存，等待模型理解：图片要由模型看。",
        ],
    )


def test_no_words_are_needed_beside_it(terminal, shot):
    told = terminal("say", "--image", str(shot), "--json").json
    assert (told["title"], told["text"], told["source"], told["state"]) == ("图片", "", "image", "pending_ai")
    assert told["picture"]["size"] == shot.stat().st_size


def test_a_hyphen_reads_it_from_standard_input(terminal):
    told = terminal("say", "--image", "-", "--json", stdin=jpeg()).json
    assert told["picture"]["mediaType"] == "image/jpeg"


def test_show_and_explain_name_the_picture(terminal, shot):
    terminal("say", "--image", str(shot))
    assert "  图片：PNG，1080×2400 像素" in terminal("show", "t1").lines
    assert "图片：PNG，1080×2400 像素" in terminal("explain", "t1").out


def test_the_same_key_again_changes_nothing(terminal, shot):
    for _ in range(2):
        assert terminal("say", "--image", str(shot), "--key", "shot", "--json").json["id"] == "t1"


def test_an_edit_says_it_in_words(terminal, shot):
    terminal("say", "--image", str(shot))
    told = terminal("edit", "t1", "明天下午3点开会", "--json").json
    assert (told["state"], told["originalText"], told["source"]) == ("scheduled", "", "image")
    json.dumps(told)


@pytest.mark.parametrize("content", [b"", b"GIF89a" + bytes(64), png()[:-4], b"PK\x03\x04" + png()])
def test_what_is_no_whole_picture_is_refused_and_not_kept(terminal, tmp_path, content):
    file = tmp_path / "bad.png"
    file.write_bytes(content)
    terminal.refused("say", "--image", str(file))
    assert terminal("list", "--json").json["tasks"] == []


def test_a_file_beyond_the_bound_is_refused_without_being_read_to_its_end(terminal, tmp_path):
    file = tmp_path / "large.png"
    with file.open("wb") as sparse:
        sparse.truncate(100 * LARGEST_PICTURE)
    assert terminal.refused("say", "--image", str(file)) == "图片太大，最多 10 MB。"


@pytest.mark.parametrize("name", ["nowhere.png", "."])
def test_a_file_that_cannot_be_read_is_named(terminal, tmp_path, name):
    assert name in terminal.refused("say", "--image", str(tmp_path / name) if name != "." else ".", code=2)


def test_a_picture_has_no_other_source(terminal, shot):
    terminal.refused("say", "--image", str(shot), "--source", "paste", code=2)


def test_neither_words_nor_a_picture_is_no_command(terminal):
    assert terminal.refused("say", code=2).startswith("要说什么？")
