"""The pages of runs: a list, what came of each, and task files that are looked at before they are saved."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.faces.http.documents.conftest import app, begun, ended, home_of, make, project, stage, start, under_way
from tests.faces.web.browsing import Browser

__all__ = ["app", "begun", "ended", "home_of", "make", "project", "stage", "start", "under_way"]

HOSTILE = "<script>alert(1)</script>".replace("/", "_")


@pytest.fixture
def browser(enter) -> Browser:
    return enter()


def edited(browser: Browser, **filled: str):
    page = browser.open("/runs/task?of=t1")
    form = page.form("/runs/task/text")
    form.fields["text"] = form.fields["text"].lstrip("\n")
    return form, {"text": form.fields["text"], **filled}


class TestRuns:
    def test_a_home_without_runs_and_task_files_says_so(self, browser) -> None:
        page = browser.open("/runs")
        assert "还没有运行过什么" in page.text("runs")
        assert "还没有写在文件里的任务" in page.text("task-files")

    def test_a_run_is_started_by_a_button_and_called_off_by_another(self, browser, make) -> None:
        make()
        page = browser.send(browser.open("/runs").form("/runs/task/run"))
        assert page.note == "在后台运行了。"
        page = browser.send(page.form("/runs/.*/cancel"))
        assert page.note == "会停下来。"
        assert "已取消" in page.text("state")

    def test_one_that_has_ended_shows_its_result_its_progress_and_its_files(self, browser, ended) -> None:
        page = browser.open(f"/runs/{ended.name}")
        assert "早上好" in page.text("result")
        assert "result.md" in page.text("files")
        assert page.text("log").strip()
        page = browser.open(f"/runs/{ended.name}/file?name=output.md")
        assert browser.status == 200
        assert "早上好" in page.text()

    def test_it_is_run_again_by_a_button(self, browser, ended) -> None:
        page = browser.send(browser.open(f"/runs/{ended.name}").form(f"/runs/{ended.name}/again"))
        assert page.note == "在后台运行了。"
        assert ended.name not in page.text("state")

    @pytest.mark.usefixtures("ended")
    def test_they_are_told_apart_by_how_they_ended(self, browser) -> None:
        assert "晨报" in browser.open("/runs?state=done").text("runs")
        for other in ("open", "failed"):
            assert "还没有运行过什么" in browser.open(f"/runs?state={other}").text("runs")
        assert "晨报" in browser.open("/runs?state=<b>").text("runs")

    def test_a_second_run_at_the_same_time_is_refused_in_one_line(self, browser, begun) -> None:
        page = browser.send(browser.open("/runs/task?of=t1").form("/runs/task/run"))
        assert (browser.status, begun in page.refused) == (409, True)

    @pytest.mark.parametrize("address", ["/runs/nothing", "/runs/h99", "/runs/20200101-000000-000", "/runs/task?of=t9"])
    def test_what_is_not_there_is_a_page(self, browser, address) -> None:
        page = browser.open(address)
        assert (browser.status, bool(page.refused)) == (404, True)

    @pytest.mark.parametrize("name", ["../task.md", "", ".seal", "nothing.md", "x" * 300])
    def test_only_files_of_the_run_are_shown(self, browser, ended, name) -> None:
        browser.open(f"/runs/{ended.name}/file?name={name}")
        assert browser.status == 404

    def test_output_and_titles_that_are_html_are_only_text(self, browser, make, stage, app) -> None:
        make(HOSTILE)
        stage.prints = b"<script>alert(2)</script>\xff\x00"
        page = browser.send(browser.open("/runs").form("/runs/task/run"))
        app.engine.drain()
        run = browser.open("/runs").html.split('href="/runs/2')[1].split('"')[0]
        for address in ("/runs", f"/runs/2{run}", f"/runs/2{run}/file?name=output.md", "/runs/task?of=t1"):
            page = browser.open(address)
            assert browser.status == 200
            assert "<script>alert" not in page.html


class TestTaskFiles:
    def test_a_text_is_looked_at_before_it_is_saved(self, browser, make, project) -> None:
        make()
        file = project / ".downcity" / "task" / "晨报" / "task.md"
        before = file.read_text(encoding="utf-8")
        form, filled = edited(browser)
        assert [button["value"] for button in form.buttons] == ["look"]
        wanted = filled["text"].replace("0 9 * * 1-5", "30 7 * * *")
        page = browser.send(form, text=wanted)
        assert "07:30" in page.text()
        assert file.read_text(encoding="utf-8") == before
        form = page.form("/runs/task/text")
        assert [button["value"] for button in form.buttons] == ["look", "save"]
        page = browser.send(form, text=wanted, do="save")
        assert page.note == "已保存。"
        assert "30 7 * * *" in file.read_text(encoding="utf-8")

    def test_a_text_that_cannot_be_a_task_is_said_and_stays_in_the_field(self, browser, make) -> None:
        make()
        form, _ = edited(browser)
        page = browser.send(form, text="不是任务")
        assert page.refused
        assert page.form("/runs/task/text").fields["text"].strip() == "不是任务"
        page = browser.send(form, text="不是任务", do="save")
        assert (browser.status, bool(page.refused)) == (400, True)

    def test_a_file_that_was_changed_meanwhile_is_not_written_over(self, browser, make, project, clock) -> None:
        make()
        file = project / ".downcity" / "task" / "晨报" / "task.md"
        form, filled = edited(browser)
        other = file.read_text(encoding="utf-8") + "\n# 别人写的\n"
        file.write_text(other, encoding="utf-8")
        clock.advance(timedelta(minutes=1))
        page = browser.send(form, text=filled["text"] + "\n# 我写的\n", do="save")
        assert (browser.status, bool(page.refused)) == (409, True)
        assert file.read_text(encoding="utf-8") == other
        assert "我写的" in page.form("/runs/task/text").fields["text"]
        page = browser.send(page.form("/runs/task/text"), do="save")
        assert browser.status == 409  # what was read first is still what counts

    def test_it_is_paused_and_enabled_by_buttons(self, browser, make) -> None:
        make()
        forms = [form for form in browser.open("/runs/task?of=t1").forms if form.action == "/runs/task/status"]
        page = browser.send(forms[1])
        assert "暂停" in page.text("standing")
        page = browser.send(forms[0])
        assert "启用" in page.text("standing")
        assert browser.send(forms[0], status="gone").refused

    def test_it_speaks_english(self, browser, make) -> None:
        make()
        browser.client("POST", "/language", data={"language": "en", "to": "/"})
        assert "Text of the task file" in browser.open("/runs/task?of=t1").text()
