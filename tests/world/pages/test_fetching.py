"""Fetching over real sockets: from a site on the loopback that is allowed by name, and from nowhere else."""

from __future__ import annotations

import contextlib
import gzip
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address

import pytest

from zhixing.kernel.clock import ManualClock
from zhixing.world.pages.fetching import LARGEST_BODY, MOST_REDIRECTS, PublicWeb
from zhixing.world.pages.port import NoPage, Page, WebFailure
from zhixing.world.pages.reach import Address, Reach
from zhixing.world.pages.readable import LONGEST_TEXT
from zhixing.world.pages.scripted import ScriptedWeb

HTML = "text/html; charset=utf-8"
Act = Callable[["Handler"], object]


@dataclass
class Site:
    """What a site does by path, and who asked for what."""

    port: int
    acts: dict[str, Act] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)

    def gives(self, path: str, body: bytes | str, content_type: str = HTML, status: int = 200, **headers: str) -> None:
        content = body.encode() if isinstance(body, str) else body
        named = {"Content-Type": content_type, **{name.replace("_", "-"): text for name, text in headers.items()}}
        self.acts[path] = lambda handler: handler.give(status, content, named)

    def leads(self, path: str, to: str, status: int = 302) -> None:
        self.acts[path] = lambda handler: handler.give(status, b"moved", {"Location": to})

    def url(self, path: str) -> str:
        return f"http://site.example:{self.port}{path}"


class Handler(BaseHTTPRequestHandler):
    site: Site

    def do_GET(self):
        self.site.asked.append((self.path, dict(self.headers)))
        self.close_connection = True
        self.site.acts[self.path](self)

    def give(self, status, body, headers):
        lines = [f"HTTP/1.1 {status} x", f"Content-Length: {len(body)}", "Connection: close"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self.wfile.write("\r\n".join([*lines, "", ""]).encode() + body)

    def handle(self):
        with contextlib.suppress(OSError):
            super().handle()

    def log_message(self, *args):
        pass


@pytest.fixture
def site() -> Iterator[Site]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site = Site(server.server_port)
    server.RequestHandlerClass = type("Handler", (Handler,), {"site": site})
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield site
    site.closing.set()
    server.shutdown()
    thread.join()
    server.server_close()


class Names:
    """A resolver that answers what it is told."""

    def __init__(self, known: dict[str, Sequence[str]] | None = None) -> None:
        self.known = known or {}

    def __call__(self, host: str, port: int) -> list[Address]:  # noqa: ARG002 - as every resolver
        if host not in self.known:
            raise OSError("no such name")
        return [ip_address(address) for address in self.known[host]]


@pytest.fixture
def names() -> Names:
    return Names({"site.example": ["127.0.0.1"]})


@pytest.fixture
def web(site: Site, names: Names, clock: ManualClock) -> PublicWeb:
    return PublicWeb(clock, reach=Reach.with_("127.0.0.1/32", ports=(site.port,)), resolve=names)


def refused(web: PublicWeb, address: str, seconds: float = 10) -> tuple[NoPage, str]:
    with pytest.raises(WebFailure) as caught:
        web.fetch(address, seconds)
    assert str(caught.value) == caught.value.text()
    return caught.value.why, caught.value.detail


def test_a_page_is_read(web: PublicWeb, site: Site) -> None:
    site.gives("/a?q=%E6%99%B4", "<title>新闻</title><p>晴 <a href='/b'>更多</a></p>")
    page = web.fetch(site.url("/a?q=晴"), 10)
    shown = f"晴 更多 (http://site.example:{site.port}/b)"
    assert page == Page(site.url("/a?q=%E6%99%B4"), "text/html", "新闻", shown, is_whole=True)


def test_it_says_who_it_is_and_brings_nothing_along(web: PublicWeb, site: Site) -> None:
    site.gives("/a", "x", Set_Cookie="id=1; Path=/")
    web.fetch(site.url("/a"), 10)
    web.fetch(site.url("/a"), 10)
    headers = site.asked[1][1]
    assert headers["User-Agent"].startswith("zhixing-pages/")
    assert headers["Host"] == f"site.example:{site.port}"
    assert {"Cookie", "Authorization", "Referer"} & set(headers) == set()


@pytest.mark.parametrize(
    ("content_type", "body", "text"),
    [
        ("application/json", '{"a": "晴"}', '{"a": "晴"}'),
        ("application/ld+json; charset=utf-8", "[]", "[]"),
        ("text/plain", "<b>原样</b>", "<b>原样</b>"),
        ("application/rss+xml", "<rss>&x;</rss>", "<rss>&x;</rss>"),
        ("TEXT/HTML", "<b>粗</b>", "粗"),
    ],
)
def test_what_is_text_is_read(web: PublicWeb, site: Site, content_type: str, body: str, text: str) -> None:
    site.gives("/a", body, content_type)
    assert web.fetch(site.url("/a"), 10).text == text


@pytest.mark.parametrize("content_type", ["image/png", "application/octet-stream", "video/mp4", "", "text/css"])
def test_what_is_not_is_not(web: PublicWeb, site: Site, content_type: str) -> None:
    site.gives("/a", b"\x00", content_type)
    assert refused(web, site.url("/a"))[0] is NoPage.TYPE


@pytest.mark.parametrize("status", [304, 401, 404, 500])
def test_what_a_site_does_not_give_is_told_with_its_status(web: PublicWeb, site: Site, status: int) -> None:
    site.gives("/a", "" if status == 304 else "no", status=status)
    assert refused(web, site.url("/a")) == (NoPage.STATUS, str(status))


def test_redirects_are_followed_to_their_end(web: PublicWeb, site: Site) -> None:
    site.leads("/a", "/b", 301)
    site.leads("/b", site.url("/页"), 307)
    site.gives("/%E9%A1%B5", "到了")
    page = web.fetch(site.url("/a"), 10)
    assert (page.address, page.text) == (site.url("/%E9%A1%B5"), "到了")


def test_redirects_are_bounded(web: PublicWeb, site: Site) -> None:
    site.leads("/a", "/a")
    assert refused(web, site.url("/a")) == (NoPage.REDIRECTS, str(MOST_REDIRECTS))
    assert len(site.asked) == MOST_REDIRECTS + 1


@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("http://127.0.0.2:{port}/x", NoPage.PRIVATE),
        ("http://[::1]:{port}/x", NoPage.PRIVATE),
        ("http://[::ffff:127.0.0.2]/x", NoPage.PRIVATE),
        ("http://169.254.169.254/latest/meta-data", NoPage.PRIVATE),
        ("http://inner.example/", NoPage.PRIVATE),
        ("//192.168.1.1/", NoPage.PRIVATE),
        ("http://2130706433/", NoPage.ADDRESS),
        ("http://0x7f.1/", NoPage.ADDRESS),
        ("http://site.example:22/", NoPage.PORT),
        ("http://user:pw@site.example/", NoPage.PASSWORD),
        ("file:///etc/passwd", NoPage.ADDRESS),
        ("ftp://site.example/", NoPage.ADDRESS),
        ("javascript:alert(1)", NoPage.ADDRESS),
        ("http://[", NoPage.ADDRESS),
        ("http://nobody.example/", NoPage.HOST_UNKNOWN),
    ],
)
def test_a_redirect_leads_nowhere_that_could_not_be_asked_for(
    web: PublicWeb, site: Site, names: Names, to: str, why: NoPage
) -> None:
    names.known["inner.example"] = ["10.0.0.5"]
    site.leads("/a", to.format(port=site.port))
    assert refused(web, site.url("/a"))[0] is why
    assert len(site.asked) == 1


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "0.0.0.0", "10.1.2.3", "192.168.0.1", "169.254.169.254", "100.64.0.1", "224.0.0.1"),  # noqa: S104 - nobody binds
        *("[::1]", "[::]", "[fe80::1]", "[fd00::1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]"),
        *("１２７.０.０.１", "127。0。0。1"),
    ],
)
def test_without_a_word_of_anybody_nothing_inside_is_reached(clock: ManualClock, host: str) -> None:
    assert refused(PublicWeb(clock, resolve=Names()), f"http://{host}/")[0] is NoPage.PRIVATE


def test_the_resolver_of_the_system_is_not_believed_either(clock: ManualClock) -> None:
    assert refused(PublicWeb(clock), "http://localhost/")[0] is NoPage.PRIVATE


@pytest.mark.parametrize("addresses", [["10.0.0.1"], ["1.1.1.1", "10.0.0.1"], ["2606:4700::1111", "::1"], ["0.0.0.0"]])  # noqa: S104 - nobody binds
def test_a_name_with_one_address_inside_is_not_visited(clock: ManualClock, addresses: list[str]) -> None:
    web = PublicWeb(clock, resolve=Names({"a.example": addresses}))
    assert refused(web, "https://a.example/")[0] is NoPage.PRIVATE


def test_a_name_that_answers_otherwise_the_second_time_gains_nothing(site: Site, clock: ManualClock) -> None:
    answers = iter([["127.0.0.1"], ["127.0.0.2"]])

    def rebinding(_host: str, _port: int) -> list[Address]:
        return [ip_address(address) for address in next(answers)]

    site.gives("/a", "公开的")
    web = PublicWeb(clock, reach=Reach.with_("127.0.0.1/32", ports=(site.port,)), resolve=rebinding)
    assert web.fetch(site.url("/a"), 10).text == "公开的"
    # One look-up, and the connection went where it led.
    assert next(answers) == ["127.0.0.2"]


@pytest.mark.parametrize("port", [22, 25, 6379, 8080, 54329])
def test_other_ports_are_not_visited(clock: ManualClock, port: int) -> None:
    assert refused(PublicWeb(clock, resolve=Names()), f"http://1.1.1.1:{port}/") == (NoPage.PORT, str(port))


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("", NoPage.ADDRESS),
        ("site.example", NoPage.ADDRESS),
        ("gopher://site.example/", NoPage.ADDRESS),
        ("http:///x", NoPage.ADDRESS),
        ("http://a b/", NoPage.ADDRESS),
        ("http://" + "a" * 3_000, NoPage.ADDRESS),
        ("http://u:p@site.example/", NoPage.PASSWORD),
        ("http://site.example/\r\nX: y", NoPage.ADDRESS),
    ],
)
def test_what_is_no_address_of_the_web_is_said_to_be_none(web: PublicWeb, address: str, why: NoPage) -> None:
    assert refused(web, address)[0] is why


def test_the_next_address_of_a_name_is_tried_when_one_does_not_answer(
    site: Site, names: Names, clock: ManualClock
) -> None:
    names.known["site.example"] = ["127.0.0.9", "127.0.0.1"]
    site.gives("/a", "到了")
    web = PublicWeb(clock, reach=Reach.with_("127.0.0.0/8", ports=(site.port,)), resolve=names)
    assert web.fetch(site.url("/a"), 10).text == "到了"


def test_an_address_that_nobody_listens_at_is_unreachable(site: Site, names: Names, clock: ManualClock) -> None:
    web = PublicWeb(clock, reach=Reach.with_("127.0.0.9/32", ports=(site.port,)), resolve=names)
    assert refused(web, f"http://127.0.0.9:{site.port}/")[0] is NoPage.UNREACHABLE


def test_a_site_without_encryption_behind_https_is_told_apart(web: PublicWeb, site: Site) -> None:
    assert refused(web, site.url("/a").replace("http:", "https:"))[0] is NoPage.TLS_FAILED


def test_a_site_that_drips_is_left_when_its_time_is_over(web: PublicWeb, site: Site, clock: ManualClock) -> None:
    def drip(handler: Handler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        while not site.closing.wait(0.01):
            clock.advance(timedelta(seconds=1))
            handler.wfile.write(b".")

    site.acts["/a"] = drip
    assert refused(web, site.url("/a"), seconds=20)[0] is NoPage.NO_ANSWER


def test_a_site_that_says_nothing_is_left(web: PublicWeb, site: Site) -> None:
    site.acts["/a"] = lambda _handler: site.closing.wait(30)
    assert refused(web, site.url("/a"), seconds=0.2)[0] is NoPage.NO_ANSWER


def test_a_body_without_end_is_not_read_to_it(web: PublicWeb, site: Site) -> None:
    def flood(handler: Handler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100000000000\r\n\r\n")
        while not site.closing.is_set():
            handler.wfile.write(b"x" * 65_536)

    site.acts["/a"] = flood
    assert refused(web, site.url("/a")) == (NoPage.TOO_LARGE, str(LARGEST_BODY))


def test_a_bomb_is_not_unpacked(web: PublicWeb, site: Site) -> None:
    bomb = gzip.compress(bytes(50_000_000), 9)
    assert len(bomb) < 100_000
    site.gives("/a", bomb, "text/plain", Content_Encoding="gzip")
    assert refused(web, site.url("/a"))[0] is NoPage.TOO_LARGE


def test_packed_pages_are_read(web: PublicWeb, site: Site) -> None:
    site.gives("/a", gzip.compress("晴".encode()), "text/plain", Content_Encoding="gzip")
    assert web.fetch(site.url("/a"), 10).text == "晴"


@pytest.mark.parametrize(
    ("body", "encoding"),
    [(b"plain", "gzip"), (gzip.compress(b"x" * 10_000, mtime=0)[:-12], "gzip"), (b"x", "br"), (b"x", "gzip, gzip")],
)
def test_a_packing_that_is_broken_or_unknown_is_no_page(web: PublicWeb, site: Site, body: bytes, encoding: str) -> None:
    site.gives("/a", body, "text/plain", Content_Encoding=encoding)
    assert refused(web, site.url("/a"))[0] is NoPage.ANSWER_BROKEN


@pytest.mark.parametrize(
    "answer",
    [
        b"\xff\xfe garbage\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 50_000,
        b"",
    ],
)
def test_what_is_no_answer_of_http_is_no_page(web: PublicWeb, site: Site, answer: bytes) -> None:
    site.acts["/a"] = lambda handler: handler.wfile.write(answer)
    assert refused(web, site.url("/a"))[0] is NoPage.ANSWER_BROKEN


def test_a_long_page_says_that_it_is_longer(web: PublicWeb, site: Site) -> None:
    site.gives("/a", "字" * (LONGEST_TEXT + 5), "text/plain; charset=utf-8")
    page = web.fetch(site.url("/a"), 10)
    assert (len(page.text), page.is_whole) == (LONGEST_TEXT, False)


def test_the_twin_gives_its_pages_and_failures() -> None:
    web = ScriptedWeb({"https://a.cn": "晴", "https://b.cn": WebFailure(NoPage.STATUS, "404")})
    assert web.fetch("https://a.cn", 1).text == "晴"
    with pytest.raises(WebFailure, match="404"):
        web.fetch("https://b.cn", 1)
    with pytest.raises(WebFailure, match="找不到"):
        web.fetch("https://c.cn", 1)
    assert web.asked == ["https://a.cn", "https://b.cn", "https://c.cn"]
