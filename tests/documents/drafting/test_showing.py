"""What a person reads before a draft is saved."""

from __future__ import annotations

from tests.documents.drafting.saying import drafted

from zhixing.documents.drafting.showing import next_runs, question, shown


def test_a_draft_shows_when_where_what_tips_and_the_question() -> None:
    made = drafted("工作日早上 8 点给我写一份日报")
    lines = shown(made)

    assert lines[0] == "【工作日日报】由智能体完成"
    assert lines[1] == "时间：每周一至周五 08:00（Asia/Shanghai）"
    assert lines[2] == "接下来：2026-10-13 08:00 +0800、2026-10-14 08:00 +0800、2026-10-15 08:00 +0800"
    assert "结果发到：chat-1" in lines
    assert made.definition.body.strip() in lines
    assert all(f"提示：{tip}" in lines for tip in made.tips)
    assert lines[-1].startswith("这样保存吗？A 保存并启用 / B 先存着（paused） / C 不要了")


def test_what_is_run_by_hand_says_so_and_what_to_say_for_a_time() -> None:
    lines = shown(drafted("给我写一份日报"))

    assert "时间：手动运行" in lines
    assert "接下来：不会自动运行" in lines
    assert any("每天早上8点" in line for line in lines if line.startswith("提示"))


def test_a_warning_stands_before_the_tips() -> None:
    lines = shown(drafted("隔周周五写双周报"))
    first_tip = next(number for number, line in enumerate(lines) if line.startswith("提示"))

    assert any(line.startswith("注意：「隔周周五」") for line in lines[:first_tip])


def test_no_run_is_shown_behind_the_end() -> None:
    made = drafted("这周每天8点给我写一份日报")

    assert len(next_runs(made)) == 3
    assert next_runs(drafted("每天20点给我写一份日报，到10月13日"))[-1].day == 13
    assert "到 2026-10-19 00:00 +0800 为止" in shown(made)


def test_the_question_has_its_three_answers() -> None:
    asked = question("draft-1", 3)

    assert [option.value for option in asked.options] == ["A", "B", "C"]
    assert (asked.subject, asked.revision) == ("draft-1", 3)


def test_it_is_shown_in_english_as_well() -> None:
    assert shown(drafted("每天8点给我写一份日报"), "en")[1].startswith("When: ")
