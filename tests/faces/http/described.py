"""Comparing what is written with what OpenAPI says of it."""

from __future__ import annotations

from pydantic import BaseModel

from zhixing.faces.wire import Wire


def undescribed(shape: BaseModel, place: str = "") -> list[str]:
    """Return the fields of `shape` and of everything in it that its description does not have."""
    found = [f"{place}.{name}" for name in shape.model_extra or {}]
    for name in type(shape).model_fields:
        value = getattr(shape, name)
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, BaseModel):
                found += undescribed(part, f"{place}.{name}")
    return found


def check(kind: type[BaseModel], written: Wire) -> None:
    """Check one written thing against its description, and that nothing is lost on the way out."""
    shape = kind.model_validate(written)
    assert undescribed(shape) == []
    assert shape.model_dump(mode="json", by_alias=True, exclude_unset=True) == written
