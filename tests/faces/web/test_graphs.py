"""The pages of rules: what a sentence becomes, a picture of each rule, and what is done to them."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count

import pytest
from tests.faces.web.browsing import Browser

from zhixing.faces.web.graphs.cards import Around
from zhixing.faces.web.graphs.drawing import MOST_DRAWN, draw
from zhixing.graphs.rule import Rule
from zhixing.world.hub.port import Method

WISH = "玄关有人就打开玄关灯，3分钟后关掉"
HOSTILE = "<script>alert(1)</script>\"'>"


@pytest.fixture
def browser(enter) -> Browser:
    return enter()


@pytest.fixture
def rule(browser) -> str:
    """Save a rule by the page, and return its id."""
    page = browser.send(browser.open("/graphs").form("/graphs/say"), text=WISH)
    page = browser.send(page.form("/graphs/proposals/g1/answer"), value="A")
    return re.search(r"/graphs/(\d+)/disable", page.html)[1]


@pytest.fixture
def stored(app) -> Callable[..., str]:
    """Put a rule on the hub as another program would, whatever is wrong with it."""
    ids = count(1_700_000_000_000)

    def store(name: str, *cards: dict) -> str:
        rule = str(next(ids))
        cfg = {"id": rule, "enable": False, "uiType": "graph", "userData": {"name": name, "version": 1}}
        app.graphs.session.hub.call(Method.SET_GRAPH, {"id": rule, "nodes": list(cards), "cfg": cfg})
        return rule

    return store


def card(name: str, kind: str = "delay", ends: tuple[str, ...] = (), **props) -> dict:
    outputs = {"output": list(ends)}
    cfg = {"name": kind, "version": 1}
    return {
        "id": name,
        "type": kind,
        "cfg": cfg,
        "props": props or {"timeout": 1000},
        "inputs": {"input": None},
        "outputs": outputs,
    }


class TestTheList:
    def test_a_home_without_rules_says_how_to_make_one(self, browser) -> None:
        page = browser.open("/graphs")
        assert "还没有规则" in page.text("rules")
        assert "虚拟网关" in page.text()

    def test_a_sentence_is_shown_first_and_saved_by_a_button(self, browser) -> None:
        page = browser.send(browser.open("/graphs").form("/graphs/say"), text=WISH)
        assert WISH in page.text("proposals")
        form = page.form("/graphs/proposals/g1/answer")
        assert [button["value"] for button in form.buttons] == ["A", "B", "C"]
        page = browser.send(form, value="A")
        assert browser.status == 200
        assert WISH in page.text()
        assert "等您决定" not in browser.open("/graphs").text()

    def test_a_sentence_that_was_sent_twice_is_kept_once(self, browser) -> None:
        form = browser.open("/graphs").form("/graphs/say")
        browser.send(form, text=WISH)
        browser.send(form, text=WISH)
        assert browser.open("/graphs").html.count("/cancel") == 1

    def test_what_cannot_be_understood_is_said_and_the_words_stay(self, browser) -> None:
        page = browser.send(browser.open("/graphs").form("/graphs/say"), text="唱一首歌")
        assert browser.status == 400
        assert page.refused
        assert page.form("/graphs/say").fields["text"] == "唱一首歌"

    def test_a_proposal_is_dropped_by_a_button(self, browser) -> None:
        page = browser.send(browser.open("/graphs").form("/graphs/say"), text=WISH)
        assert "等您决定" not in browser.send(page.form("/graphs/proposals/g1/cancel")).text()

    def test_rules_are_found_by_name_and_by_whether_they_are_on(self, browser, rule) -> None:
        assert WISH in browser.open("/graphs?q=玄关&state=on").text("rules")
        assert WISH in browser.open(f"/graphs?q={rule}").text("rules")
        assert "没有这样的规则" in browser.open("/graphs?q=厨房").text("rules")
        assert "没有这样的规则" in browser.open("/graphs?state=off").text("rules")

    def test_many_rules_stand_on_several_pages(self, browser, stored) -> None:
        for number in range(51):
            stored(f"规则{number:03}", card("a"))
        first = browser.open("/graphs")
        assert "/graphs?state=all&amp;page=2" in first.html
        assert first.html.count("/enable") == 50
        assert browser.open("/graphs?page=2").html.count("/enable") == 1

    @pytest.mark.parametrize("query", ["page=0", "page=x", "page=99999999999999999999", "page=9", "state=<b>"])
    @pytest.mark.usefixtures("rule")
    def test_an_address_with_nonsense_shows_rules_all_the_same(self, browser, query) -> None:
        assert WISH in browser.open(f"/graphs?{query}").text("rules")

    @pytest.mark.usefixtures("rule")
    def test_rules_against_each_other_are_looked_for_when_asked(self, browser) -> None:
        assert "没有几条规则各写各的属性" in browser.open("/graphs?conflicts=1").text()


class TestOneRule:
    def test_it_is_drawn_with_names_of_devices(self, browser, rule) -> None:
        page = browser.open(f"/graphs/{rule}")
        assert page.tags.count("svg") == 1
        assert page.tags.count("path") == 3
        drawn = page.text()
        assert all(each in drawn for each in ("玄关人体传感器", "玄关灯", "3 分钟", "没有发现问题。"))
        assert page.handlers == []

    def test_it_is_switched_by_a_button(self, browser, rule, client) -> None:
        page = browser.send(browser.open(f"/graphs/{rule}").form(f"/graphs/{rule}/disable"))
        assert page.note == "已停用。"
        assert client.get("/api/v1/graphs")["graphs"][0]["enable"] is False
        page = browser.send(page.form(f"/graphs/{rule}/enable"))
        assert page.note == "已启用。"
        assert page.form(f"/graphs/{rule}/disable")

    def test_it_is_deleted_and_put_back(self, browser, rule, client) -> None:
        page = browser.send(browser.open(f"/graphs/{rule}").form(f"/graphs/{rule}/delete"))
        assert "已删除" in page.note
        assert "已经删除" in page.text()
        assert client.get("/api/v1/graphs")["count"] == 0
        number = re.search(r"receipt=(\d+)", page.html)[1]
        page = browser.open(f"/graphs/{rule}?receipt={number}")
        assert f"放回备份 {number}" in page.text()
        page = browser.send(page.form(f"/graphs/{rule}/back"))
        assert page.note == "已放回。"
        assert client.get("/api/v1/graphs")["count"] == 1

    def test_a_backup_of_another_rule_is_not_put_back_here(self, browser, rule, stored) -> None:
        other = stored("另一条", card("a"))
        page = browser.send(browser.open(f"/graphs/{other}").form(f"/graphs/{other}/delete"))
        number = re.search(r"receipt=(\d+)", page.html)[1]
        form = browser.open(f"/graphs/{other}?receipt={number}").form(".*/back")
        form.action = f"/graphs/{rule}/back"
        page = browser.send(form)
        assert (browser.status, "没有编号为" in page.refused) == (400, True)

    def test_one_that_is_not_there_is_a_page(self, browser) -> None:
        page = browser.open("/graphs/123")
        assert (browser.status, "123" in page.refused) == (404, True)

    def test_what_was_found_stands_at_its_card_and_in_the_list(self, browser, stored) -> None:
        rule = stored("没有人触发", card("lonely", ends=("nobody.input",)))
        page = browser.open(f"/graphs/{rule}")
        assert "lonely" in page.text("findings")
        assert page.html.count('class="spot"') == 1

    def test_its_variables_are_changed_by_a_form(self, browser, rule, client) -> None:
        made = {"id": "count", "type": "number", "value": 1, "name": "次数", "scope": f"R{rule}"}
        client.post("/api/v1/graphs/variables", made)
        page = browser.open(f"/graphs/{rule}")
        form = page.form(f"/graphs/{rule}/variables/count")
        page = browser.send(form, value="7")
        assert page.note == "已改好。"
        assert page.form(f"/graphs/{rule}/variables/count").fields["value"] == "7"
        page = browser.send(form, value="七个")
        assert (browser.status, "count" in page.refused) == (400, True)

    def test_names_that_are_html_are_only_text(self, browser, stored) -> None:
        rule = stored(HOSTILE, card("a"))
        for address in ("/graphs", f"/graphs/{rule}", f"/graphs?q={HOSTILE}"):
            page = browser.open(address)
            assert "<script>alert" not in page.html
            assert page.handlers == []

    def test_it_speaks_english(self, browser, rule) -> None:
        browser.client("POST", "/language", data={"language": "en", "to": "/"})
        page = browser.open(f"/graphs/{rule}")
        assert "All rules" in page.text()
        assert "3 min" in page.text()

    def test_a_form_of_another_page_changes_nothing(self, browser, rule, client) -> None:
        answer = browser.client("POST", f"/graphs/{rule}/delete", data={"proof": "x"})
        assert answer.status_code == 403
        assert client.get("/api/v1/graphs")["count"] == 1


class TestThePicture:
    AROUND = Around({}, {}, "zh")

    @staticmethod
    def rule(*cards: dict) -> Rule:
        return Rule.of({"id": "1", "nodes": list(cards), "cfg": {}})

    def test_cards_do_not_lie_on_each_other_and_wires_lead_to_the_right(self) -> None:
        drawn = draw(self.rule(card("a", ends=("b.input", "c.input")), card("b"), card("c")), self.AROUND, {"b": "bad"})
        assert len({(each.x, each.y) for each in drawn.cards}) == 3
        assert [each.mark for each in drawn.cards] == ["", "bad", ""]
        assert {each.kind for each in drawn.wires} == {"event"}
        assert all(each.x + 208 <= drawn.width and each.y + 84 <= drawn.height for each in drawn.cards)

    def test_a_wire_that_leads_back_has_room(self) -> None:
        drawn = draw(self.rule(card("a", ends=("b.input",)), card("b", ends=("a.input",))), self.AROUND, {})
        assert len(drawn.wires) == 2
        assert all(re.fullmatch(r"[MCL\d .-]+", each.path) for each in drawn.wires)

    def test_wires_that_end_nowhere_and_cards_that_are_strange_are_passed_over(self) -> None:
        strange = {"id": "x", "type": 7, "cfg": 1, "props": [], "inputs": None, "outputs": {"o": ["nobody.input", 3]}}
        drawn = draw(self.rule(strange, card("a", "nonsense", timeout="x"), "text"), self.AROUND, {})
        assert (len(drawn.cards), drawn.wires) == (2, ())

    @pytest.mark.parametrize("count", [0, MOST_DRAWN + 1])
    def test_nothing_and_too_much_are_not_drawn(self, count) -> None:
        assert draw(self.rule(*(card(f"n{number}") for number in range(count))), self.AROUND, {}) is None

    def test_long_names_are_cut_to_the_card(self) -> None:
        node = card("a")
        node["cfg"]["name"] = "很长的名字" * 20
        assert len(draw(self.rule(node), self.AROUND, {}).cards[0].title) == 14
