"""Why an expression cannot be read or worked out: a stable code, its values, and the place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from zhixing.kernel.wording import Language, wording

Code = Literal[
    "elements_not_array",
    "element_invalid",
    "too_many_elements",
    "too_long",
    "too_many_tokens",
    "too_deep",
    "brace",
    "empty",
    "operand_missing",
    "operator_missing",
    "invalid_number",
    "wide_character",
    "call_without_brackets",
    "bracket_unclosed",
    "bracket_unopened",
    "invalid_function",
    "invalid_arg_count",
    "no_arguments",
    "power_sign",
    "not_scalar",
    "math_error",
    "variable_missing",
    "variable_not_number",
    "dollar_unknown",
    "result_too_long",
]

Finding = Literal["elements_not_array", "element_invalid", "expression_invalid", "expression_not_scalar"]
"""The codes of a validator (mijia.md §2.3)."""

_VENDOR: Mapping[Code, str] = {
    "empty": "Invalid number",
    "operand_missing": "Invalid number",
    "operator_missing": "Invalid expression",
    "invalid_number": "Invalid number",
    "wide_character": "Invalid number",
    "call_without_brackets": "Invalid number",
    "bracket_unclosed": "Bracket error",
    "bracket_unopened": "Bracket error",
    "invalid_function": "Invalid function",
    "invalid_arg_count": "Invalid arg count",
    "no_arguments": "invalid arg count",
    "power_sign": "Invalid number",
    "math_error": "Math error",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One reason. `code` names the text in `graph_expression`; `position` counts characters of the joined text from 0.

    `position` is None where no single place is wrong.
    """

    code: Code
    values: Mapping[str, object] = field(default_factory=dict)
    position: int | None = None

    @property
    def vendor(self) -> str:
        """The reason in the words of the official parser (mijia.md §1.11 errors)."""
        return _VENDOR.get(self.code, "Invalid expression")

    @property
    def finding(self) -> Finding:
        """The code under which a validator reports it."""
        match self.code:
            case "elements_not_array" | "element_invalid":
                return self.code
            case "not_scalar":
                return "expression_not_scalar"
            case _:
                return "expression_invalid"

    def text(self, language: Language = "zh") -> str:
        """Say it in one line."""
        said = wording(f"graph_expression.{self.code}", language, **self.values)
        if self.position is None:
            return said
        return wording("graph_expression.at", language, column=self.position + 1, said=said)


class Broken(Exception):
    """A fault on its way out of a recursion; never leaves the package."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.code)
        self.fault = fault
