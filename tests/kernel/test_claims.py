import dataclasses

import pytest

from zhixing.kernel.claims import Basis, Claim


@pytest.mark.parametrize(
    ("basis", "told"),
    [
        (Basis.SAID, False),
        (Basis.ANSWERED, False),
        (Basis.PROFILE, False),
        (Basis.INFERRED, True),
        (Basis.DEFAULT, True),
    ],
)
def test_what_nobody_said_must_be_told(basis: Basis, told: bool) -> None:  # noqa: FBT001 - a row of the table
    assert Claim(9, basis, "policy").must_be_told is told


def test_a_claim_is_not_changed_afterwards() -> None:
    claim = Claim(9, Basis.SAID, "九点")
    with pytest.raises(dataclasses.FrozenInstanceError):
        claim.value = 10  # type: ignore[misc]
