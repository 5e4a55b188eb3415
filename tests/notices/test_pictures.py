"""What a picture is, by its own bytes, and within which bounds it is taken."""

from __future__ import annotations

import random
import struct

import pytest
from tests.notices.drawn import box, chunk, heic, jpeg, png, webp

from zhixing.kernel.errors import BadInput, TooLarge, ZhixingError
from zhixing.notices.pictures import LARGEST_PICTURE, read_picture

WHOLE = {
    "png": png(),
    "jpeg": jpeg(),
    "jpeg, progressive": jpeg(frame=0xC2),
    "webp, extended": webp(),
    "webp, lossless": webp(kind=b"VP8L"),
    "webp, lossy": webp(kind=b"VP8 "),
    "heic": heic(),
}


def refusal(data: bytes, declared: str | None = None) -> str:
    with pytest.raises(ZhixingError) as caught:
        read_picture(data, declared)
    assert "\n" not in str(caught.value)
    return caught.value.key


@pytest.mark.parametrize("name", WHOLE)
def test_every_format_is_recognised_and_measured_by_its_bytes(name):
    picture = read_picture(WHOLE[name])
    assert picture.facts.media_type == f"image/{name.split(',')[0]}"
    assert (picture.facts.width, picture.facts.height) == (64, 48)
    assert picture.data == WHOLE[name]
    assert picture.facts.size == len(WHOLE[name])


@pytest.mark.parametrize("name", WHOLE)
def test_a_file_that_is_cut_off_anywhere_is_refused(name):
    whole = WHOLE[name]
    for length in range(len(whole)):
        assert refusal(whole[:length]) in ("picture_broken", "picture_unknown"), length


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x89PNG",
        b"GIF89a" + bytes(100),
        b"BM" + bytes(100),
        b"%PDF-1.7\n" + png(),
        b"PK\x03\x04" + png(),
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        heic(brand=b"avif"),
        box(b"ftyp", b"isom" + bytes(4) + b"mp41"),
        "明天下午3点开会".encode(),
    ],
)
def test_what_does_not_begin_as_a_picture_is_none(data):
    assert refusal(data) == "picture_unknown"


def test_a_declared_type_has_to_be_right():
    assert read_picture(png(), "image/png").facts.media_type == "image/png"
    assert refusal(jpeg(), "image/png") == "picture_other_type"
    assert refusal(png(), "text/html") == "picture_other_type"


def test_what_hangs_behind_a_picture_makes_it_nothing_else():
    """A file that is a picture and an archive at once is taken as the picture; telephones write such tails as well."""
    for whole, kind in ((png(), "image/png"), (jpeg(), "image/jpeg"), (webp(), "image/webp")):
        assert read_picture(whole + b"PK\x03\x04<script>alert(1)</script>").facts.media_type == kind


def test_ten_megabytes_are_taken_and_not_one_byte_more():
    filled = png(more=chunk(b"tEXt", bytes(LARGEST_PICTURE - len(png()) - 12)))
    assert len(filled) == LARGEST_PICTURE
    assert read_picture(filled).facts.size == LARGEST_PICTURE
    with pytest.raises(TooLarge) as caught:
        read_picture(filled + b"\0")
    assert str(caught.value) == "图片太大，最多 10 MB。"


@pytest.mark.parametrize("make", [png, jpeg, heic, webp])
def test_a_small_file_that_promises_enormous_measures_is_refused_unopened(make):
    assert refusal(make(60_000, 60_000)) == "picture_pixels"


def test_the_most_a_header_can_promise_is_refused():
    assert refusal(png(2**32 - 1, 2**32 - 1)) == "picture_pixels"


@pytest.mark.parametrize(
    ("width", "height", "key"),
    [
        (8000, 5000, None),
        (8001, 5000, "picture_pixels"),
        (32, 32, None),
        (31, 32, "picture_small"),
        (64, 0, "picture_small"),
        (1080, 32_400, None),
        (100, 3001, "picture_narrow"),
        (3001, 100, "picture_narrow"),
    ],
)
def test_the_bounds_of_the_measures_are_where_they_are_said_to_be(width, height, key):
    data = png(width, height)
    if key is None:
        assert read_picture(data).facts.width == width
    else:
        assert refusal(data) == key


def test_the_measures_of_a_thumbnail_are_not_those_of_the_photograph():
    picture = read_picture(jpeg(640, 480, thumbnail=jpeg(32, 32)))
    assert (picture.facts.width, picture.facts.height) == (640, 480)


def test_the_end_of_a_thumbnail_is_not_the_end_of_the_photograph():
    assert refusal(jpeg(640, 480, thumbnail=jpeg(32, 32))[:-2]) == "picture_broken"


@pytest.mark.parametrize(
    "data",
    [
        png()[:8] + struct.pack(">I", 13) + b"IDAT" + png()[16:],
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", png()[16:29]) + chunk(b"IEND", b""),
        b"\xff\xd8\xff\xe0\x00\x00" + jpeg()[2:],
        b"\xff\xd8" + b"\xff\xe0\x00\x02" * 30_000,
        webp()[:12] + b"ALPH" + webp()[16:],
        box(b"ftyp", b"heic" + bytes(4)) + box(b"mdat", b"") + box(b"meta", bytes(4)),
        box(b"ftyp", b"heic" + bytes(4)) + struct.pack(">I", 4) + b"meta" + bytes(40),
        box(b"ftyp", b"heic" + bytes(4)) + struct.pack(">I", 1) + b"mdat" + b"\xff" * 8,
    ],
)
def test_what_begins_as_a_picture_and_goes_on_as_nonsense_is_broken(data):
    assert refusal(data) == "picture_broken"


def test_no_mutation_of_a_picture_does_more_than_be_refused():
    lots = random.Random(20261012)
    for _ in range(3_000):
        data = bytearray(lots.choice(list(WHOLE.values())))
        for _ in range(lots.randint(1, 6)):
            data[lots.randrange(len(data))] = lots.randrange(256)
        try:
            facts = read_picture(bytes(data)).facts
        except (BadInput, TooLarge):
            continue
        assert facts.width * facts.height <= 40_000_000
