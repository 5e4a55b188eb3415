from __future__ import annotations

import pytest

from zhixing.graphs.layout.sizes import CARDS, Sizes, size_of


def test_every_node_type_has_the_size_of_its_card() -> None:
    assert len(CARDS) == 26
    assert size_of("deviceGet") == (700, 240)
    assert size_of("nop") == (320, 60)


@pytest.mark.parametrize("node_type", ["deviceGet", "nop", "未来的卡片"])
def test_the_document_has_one_size_for_all(node_type: str) -> None:
    assert size_of(node_type, Sizes.UNIFORM) == (528, 164)


def test_an_unknown_type_has_the_size_of_the_document() -> None:
    assert size_of("未来的卡片") == (528, 164)
