"""The props of a node as the vendor's checker wants them (mijia §1.3, §1.4, §2.3), times apart. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from zhixing.graphs.catalogue import Context, Group, kinds_of, operators, props_of, v1_fits, v2_fits
from zhixing.graphs.checks.finding import Finding, Fix, Phrase
from zhixing.graphs.checks.survey import Survey, kind_of, stands, written
from zhixing.graphs.rule import Json, Members, Node, Part, is_number, is_whole
from zhixing.graphs.specs.jsontext import shown

_DID = "did"
_SETS_FROM_DEVICE = frozenset({"deviceInputSetVar", "deviceGetSetVar"})
_SLOT = ("number", "boolean", "string")
_NUMBER_OF_OLD = {"int": "number", "float": "number"}


def check_parameters(survey: Survey, node: Node) -> Iterator[Finding]:
    """Check the props of a node of a known type."""
    kind = kind_of(node)
    if kind is None or not stands(node, Part.PROPS):
        return
    if kind.group is Group.DEVICE:
        yield from _device(survey, node)
    if kind.compares is not None and not _is_event(node):
        yield from _comparison(survey, node, node.props, kind.compares, "props")
    if node.type in {"onlyNTimes", "counter"} and not _counts(n := node.props.get("n")):
        yield survey.error("invalid_n", node, found=written(n))
    yield from _preload(survey, node)


def _counts(n: Json) -> bool:
    return is_whole(n) and bool(n >= 1)


def _is_event(node: Node) -> bool:
    return node.type in {"deviceInput", "deviceInputSetVar"} and "piid" not in node.props


def _device(survey: Survey, node: Node) -> Iterator[Finding]:
    props = node.props
    if not (isinstance(props.get(_DID), str) and props[_DID]):
        yield survey.error("invalid_did", node, found=written(props.get(_DID)))
    yield from _number(survey, node, props, "siid")
    match node.type:
        case "deviceInput" | "deviceInputSetVar":
            yield from _source(survey, node)
        case "deviceOutput":
            yield from _output(survey, node)
        case _:
            yield from _number(survey, node, props, "piid")
    if node.type in _SETS_FROM_DEVICE and not _is_event(node):
        yield from _slot(survey, node, props, "props")


def _source(survey: Survey, node: Node) -> Iterator[Finding]:
    props = node.props
    if "piid" in props:
        if "eiid" in props:
            yield survey.warn("both_piid_and_eiid", node)
        yield from _number(survey, node, props, "piid")
        return
    if "eiid" not in props:
        yield survey.error("not_property_nor_event", node)
        return
    yield from _number(survey, node, props, "eiid")
    if node.type == "deviceInputSetVar" or "arguments" in props:
        yield from _arguments(survey, node)


def _arguments(survey: Survey, node: Node) -> Iterator[Finding]:
    given = node.props.get("arguments")
    if not isinstance(given, list):
        fixes = (Fix(("props", "arguments"), []),) if given is None and node.type == "deviceInput" else ()
        yield survey.error("arguments_not_array", node, *fixes)
        return
    for number, each in enumerate(given):
        where = f"arguments[{number}]"
        if not isinstance(each, dict):
            yield survey.error("list_element_invalid", node, where=where)
            continue
        yield from _number(survey, node, each, "piid")
        if node.type == "deviceInputSetVar":
            yield from _slot(survey, node, each, where)
        elif "operator" in each:
            yield from _comparison(survey, node, each, "device", where)
        elif each.get("dtype") not in kinds_of("device"):
            yield _dtype(survey, node, each.get("dtype"), kinds_of("device"), where)


def _output(survey: Survey, node: Node) -> Iterator[Finding]:
    props = node.props
    if "piid" in props:
        yield from _number(survey, node, props, "piid")
        yield from _sent(survey, node, props, "props")
    elif "aiid" in props:
        yield from _number(survey, node, props, "aiid")
        yield from _action(survey, node)
    else:
        yield survey.error("no_piid_or_aiid", node)


def _action(survey: Survey, node: Node) -> Iterator[Finding]:
    if "ins" not in node.props:
        return
    given = node.props["ins"]
    if not isinstance(given, list):
        yield survey.error("ins_not_array", node)
        return
    for number, each in enumerate(given):
        where = f"ins[{number}]"
        if not isinstance(each, dict):
            yield survey.error("list_element_invalid", node, where=where)
            continue
        yield from _number(survey, node, each, "piid")
        yield from _sent(survey, node, each, where)


def _sent(survey: Survey, node: Node, given: Members, where: str) -> Iterator[Finding]:
    """Check what is sent: a value, or a variable with its kind and, for a number, its range."""
    if "value" in given:
        return
    if "scope" not in given:
        yield survey.error("no_value_nor_scope", node, where=where)
        return
    dtype = given.get("dtype")
    if dtype not in _SLOT:
        yield _dtype(survey, node, dtype, _SLOT, where)
    wrong = [name for name in ("min", "max", "step") if not is_number(given.get(name))]
    if dtype == "number" and wrong:
        yield survey.error("invalid_range_fields", node, names="、".join(wrong), where=where)


def _slot(survey: Survey, node: Node, given: Members, where: str) -> Iterator[Finding]:
    """Check the kind of value that goes into a variable."""
    dtype = given.get("dtype")
    if dtype in _SLOT:
        return
    number = _NUMBER_OF_OLD.get(dtype) if isinstance(dtype, str) else None
    if number is None:
        yield _dtype(survey, node, dtype, _SLOT, where)
        return
    fixes = (Fix(("props", "dtype"), number),) if where == "props" else ()
    yield survey.error("var_dtype", node, *fixes, found=written(dtype))


def _number(survey: Survey, node: Node, given: Members, name: str) -> Iterator[Finding]:
    """Check a siid, piid, eiid or aiid."""
    if not is_whole(given.get(name)):
        yield survey.error(f"invalid_{name}", node, found=written(given.get(name)))


def _dtype(survey: Survey, node: Node, found: Json, known: tuple[str, ...], where: str) -> Finding:
    """Say what the kinds are. The names that specs and programming languages use for them are certain to mean these."""
    meant = {"bool": "boolean", "str": "string"}.get(found) if isinstance(found, str) else None
    fixes = (Fix(("props", "dtype"), meant),) if meant in known and where == "props" else ()
    return survey.error("invalid_dtype", node, *fixes, found=written(found), known="、".join(known), where=where)


def _comparison(survey: Survey, node: Node, given: Members, context: Context, where: str) -> Iterator[Finding]:
    key = "dtype" if context == "device" else "varType"
    kind, operator = given.get(key), given.get("operator")
    if not isinstance(kind, str) or kind not in kinds_of(context):
        yield _dtype(survey, node, kind, kinds_of(context), f"{where}.{key}" if key != "dtype" else where)
        kind = None
    if not isinstance(operator, str) or not operator:
        yield survey.error("missing_operator", node, where=where)
        return
    if kind is None:
        return
    allowed = operators(context, kind)
    if operator not in allowed:
        yield survey.error(
            "operator_not_allowed",
            node,
            *_equals(given, kind, operator, where),
            operator=shown(operator),
            kind=kind,
            known=" ".join(allowed),
        )
        return
    wanted = Phrase(f"graph_reasons.operand_{kind}")
    if not v1_fits(context, kind, operator, given.get("v1")):
        code = "graph_reasons.operand_list" if operator == "include" else wanted.key
        yield survey.error(
            "invalid_v1", node, *_operand_fix(given, kind, where), found=written(given.get("v1")), wanted=Phrase(code)
        )
    if not v2_fits(context, kind, operator, given.get("v2")):
        yield survey.error("invalid_v2", node, found=written(given.get("v2")), wanted=wanted)


def _equals(given: Members, kind: str, operator: str, where: str) -> tuple[Fix, ...]:
    """Mend `==`, and `!=` of a truth value, which is the other value."""
    if where != "props":
        return ()
    if operator in {"==", "==="} and kind != "float":
        return (Fix(("props", "operator"), "="),)
    if operator == "!=" and kind == "boolean" and isinstance(given.get("v1"), bool):
        return (Fix(("props", "operator"), "="), Fix(("props", "v1"), not given["v1"]))
    return ()


def _operand_fix(given: Members, kind: str, where: str) -> tuple[Fix, ...]:
    """Put a single number that `include` is given into a list."""
    lone = given.get("operator") == "include" and kind == "int" and is_whole(given.get("v1"))
    return (Fix(("props", "v1"), [given["v1"]]),) if lone and where == "props" else ()


def _preload(survey: Survey, node: Node) -> Iterator[Finding]:
    prop = props_of(node).get("preload")
    given = node.props.get("preload")
    if prop is None or _is_event(node) or isinstance(given, bool):
        return
    if prop.required:
        yield survey.error("preload_required", node, *((Fix(("props", "preload"), False),) if given is None else ()))
    elif "preload" in node.props:
        yield survey.error("invalid_preload", node, found=written(given))
