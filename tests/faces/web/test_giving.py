"""What is given to everybody: files, the bundle, and what makes the pages an application."""

from __future__ import annotations

import json
import logging
import re

import pytest

from zhixing.faces.web.bundle import Bundle, read_bundle

SCRIPT = b"console.log('we');"
ENTRY = {"app/main.ts": {"file": "app-1.js", "name": "app", "src": "app/main.ts", "isEntry": True}}


@pytest.fixture
def folder(tmp_path):
    """Give a folder as Vite writes it."""
    (tmp_path / "app-1.js").write_bytes(SCRIPT)
    (tmp_path / "manifest.json").write_text(json.dumps(ENTRY), encoding="utf-8")
    return tmp_path


class TestTheBundle:
    def test_its_entries_have_their_scripts(self, folder) -> None:
        bundle = read_bundle(folder)
        assert bundle.scripts_of("app") == ("/bundle/app-1.js",)
        assert bundle.scripts_of("app", "canvas") == ("/bundle/app-1.js",)

    def test_an_entry_brings_its_sheets_along(self, folder) -> None:
        (folder / "canvas-2.js").write_text("0", encoding="utf-8")
        (folder / "canvas-2.css").write_text("b{}", encoding="utf-8")
        drawn = {"file": "canvas-2.js", "name": "canvas", "isEntry": True, "css": ["canvas-2.css"]}
        shared = {"file": "app-1.js", "name": "shared"}
        (folder / "manifest.json").write_text(json.dumps({"a": drawn, "b": shared}), encoding="utf-8")
        bundle = read_bundle(folder)
        assert bundle.scripts_of("canvas") == ("/bundle/canvas-2.js",)
        assert bundle.styles_of("canvas") == ("/bundle/canvas-2.css",)
        assert bundle.scripts_of("shared") == ()

    @pytest.mark.parametrize(
        "said",
        [
            *("", "{", "[]", "7", '{"a": 7}', '{"a": {"isEntry": true}}'),
            '{"a": {"isEntry": true, "name": "a", "file": "../desk.py"}}',
            '{"a": {"isEntry": true, "name": "a", "file": "gone.js"}}',
        ],
    )
    def test_one_that_is_not_whole_is_none(self, folder, said, caplog) -> None:
        caplog.set_level(logging.WARNING)
        (folder / "manifest.json").write_text(said, encoding="utf-8")
        assert read_bundle(folder).scripts_of("app") == ()

    def test_one_that_was_not_built_is_none(self, tmp_path) -> None:
        assert read_bundle(tmp_path / "nothing") == Bundle()

    def test_it_is_given_and_kept_by_browsers(self, folder, serve, connect) -> None:
        client = connect(serve(bundle=read_bundle(folder)), {})
        answer = client("GET", "/bundle/app-1.js")
        assert (answer.status_code, answer.content) == (200, SCRIPT)
        assert answer.headers["content-type"].startswith("text/javascript")
        assert "immutable" in answer.headers["cache-control"]

    def test_nothing_else_is_given(self, folder, serve, connect) -> None:
        client = connect(serve(bundle=read_bundle(folder)), {})
        for name in ("manifest.json", "nothing.js", "..%2fdesk.py", ".ready"):
            assert client("GET", f"/bundle/{name}").status_code == 404


class TestTheApplication:
    def test_its_manifest_says_what_it_is_and_its_signs_are_there(self, stranger) -> None:
        answer = stranger("GET", "/manifest.webmanifest")
        assert answer.headers["content-type"] == "application/manifest+json"
        said = answer.json()
        assert (said["name"], said["start_url"], said["display"]) == ("知行", "/", "standalone")
        assert {icon["purpose"] for icon in said["icons"]} == {"any", "maskable"}
        for icon in said["icons"]:
            assert stranger("GET", icon["src"]).headers["content-type"] == icon["type"]

    def test_the_page_names_the_manifest(self, stranger) -> None:
        assert '<link rel="manifest" href="/manifest.webmanifest">' in stranger("GET", "/").text
        assert "manifest-src 'self'" in stranger("GET", "/").headers["content-security-policy"]

    def test_the_worker_keeps_the_shell_and_no_page_of_a_home(self, stranger) -> None:
        answer = stranger("GET", "/sw.js")
        assert answer.headers["content-type"].startswith("text/javascript")
        assert answer.headers["service-worker-allowed"] == "/"
        assert answer.headers["cache-control"] == "no-cache"
        found = re.match(r"const SAID = (\{.*\});\n", answer.text)
        assert found
        said = json.loads(found[1])
        assert said["offline"] in said["shell"]
        assert "/" not in said["shell"]
        for address in said["shell"]:
            assert stranger("GET", address).status_code == 200

    def test_another_shell_has_another_version(self, folder, serve, connect) -> None:
        versions = {connect(serve(bundle=each), {})("GET", "/sw.js").text for each in (Bundle(), read_bundle(folder))}
        assert len({re.search(r'"version": "(\w+)"', text)[1] for text in versions}) == 2

    def test_the_page_for_offline_shows_nothing_of_the_home(self, client, stranger) -> None:
        client.say("外婆的生日是五月三日")
        answer = stranger("GET", "/offline")
        assert answer.status_code == 200
        assert "现在连不上" in answer.text
        assert "外婆" not in answer.text
