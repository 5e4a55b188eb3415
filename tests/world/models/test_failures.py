from __future__ import annotations

from datetime import timedelta

import pytest

from zhixing.kernel.errors import TooLarge, Unavailable
from zhixing.kernel.wording import LANGUAGES
from zhixing.world.models.failures import ModelFailure, ModelGarbled, ModelRefused, ModelUnavailable, Why
from zhixing.world.models.port import LARGEST_IMAGE, Image, Prompt, Text


@pytest.mark.parametrize("why", Why)
def test_every_reason_says_what_happened_and_what_to_do(why):
    failure = ModelFailure(why, "503")
    for language in LANGUAGES:
        assert failure.text(language)
        assert failure.how_to_fix(language)
        assert "{" not in failure.text(language) + failure.how_to_fix(language)


def test_a_face_that_knows_only_the_kernels_errors_can_show_them():
    failure = ModelUnavailable(Why.BUSY, "429", timedelta(seconds=5))

    assert isinstance(failure, Unavailable)
    assert str(failure) == "模型服务太忙，让稍后再来（HTTP 429）。"
    assert (failure.exit_code, failure.status, failure.key) == (2, 503, "model_busy")


def test_only_some_refusals_are_about_the_prompt():
    about_it = {why for why in Why if ModelRefused(why).concerns_prompt}

    assert about_it == {Why.REQUEST, Why.TOO_LONG, Why.DECLINED}


def test_what_a_reply_was_blamed_for_is_not_part_of_the_line():
    assert "机密" not in str(ModelGarbled(Why.UNCONVINCING, "依据「机密」不在原文里"))


def test_an_image_that_no_server_takes_is_refused_before_it_is_asked_about():
    Image(b"x" * LARGEST_IMAGE, "image/png")
    with pytest.raises(TooLarge):
        Image(b"x" * (LARGEST_IMAGE + 1), "image/png")


@pytest.mark.parametrize("wrong", [{"parts": ()}, {"max_tokens": 0}, {"seconds": 0}])
def test_a_prompt_without_question_room_or_time_is_a_mistake(wrong):
    with pytest.raises(ValueError, match="a prompt has"):
        Prompt(**{"system": "", "parts": (Text("?"),), **wrong})
