"""Undoing an extraction: the text of a method with the calls of another one replaced by its body."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from testevo.labels.refactorings.variables import Variables, variables_of

OPENING, CLOSING = ("(", "{", "["), (")", "}", "]")
STATEMENT_ENDS = (";", "{", "}")
BEFORE_WHOLE_EXPRESSION = ("=", "(", ",", "return", ";", "{", "}", "->")
AFTER_WHOLE_EXPRESSION = (")", ";", ",")


@dataclass(frozen=True)
class MethodTokens:
    """A method taken apart."""

    name: str
    parameters: tuple[str, ...]
    body: tuple[str, ...]
    """Between the outer braces."""


@dataclass(frozen=True)
class _Call:
    start: int
    """First token, `this .` included."""
    end: int
    """After the closing parenthesis."""
    arguments: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class _KeptVariables:
    """The variables of two methods of which each name stands for the same, wherever the body of one stands."""

    caller: Variables
    body: Variables

    def keep_values(self, call: _Call, callee: MethodTokens) -> bool:
        """Whether nothing can have changed an argument before the body reads it."""
        given = zip(callee.parameters, call.arguments, strict=True)
        return all(self._is_lasting(argument) or self.body.reads_first(parameter) for parameter, argument in given)

    def _is_lasting(self, argument: tuple[str, ...]) -> bool:
        """Whether a simple argument keeps its value all the time: a literal, a constant, or what no other method
        sees."""
        last = argument[-1]
        is_constant = last == last.upper() or last in ("this", "true", "false", "null")
        return is_constant or (len(argument) == 1 and last in self.caller.declared)


def take_apart(tokens: Sequence[str], name: str) -> MethodTokens | None:
    """Read parameters and body of a method declaration; None for a method without body."""
    for index, token in enumerate(tokens[:-1]):
        if token == name and tokens[index + 1] == "(":
            close = _closing(tokens, index + 1)
            brace = next((i for i in range(close, len(tokens)) if tokens[i] in ("{", ";")), None)
            if brace is None or tokens[brace] == ";" or _closing(tokens, brace) != len(tokens) - 1:
                return None
            parameters = tuple(_parameter_name(part) for part in _split(tokens[index + 2 : close]))
            return MethodTokens(name, parameters, tuple(tokens[brace + 1 : -1]))
    return None


def inlined(caller: Sequence[str], callee: MethodTokens) -> Iterator[list[str]]:
    """Texts of `caller` with every call of `callee` replaced by its body, one for each way to write it.

    Only replacements that keep the meaning are made: arguments must be names, literals or member accesses; each name
    must stand for the same variable in both places, with the same value; a body of several statements must stand where
    several statements may; an expression must be a whole operand, or is put in parentheses. Nothing is produced when a
    call cannot be replaced, or when there is none.
    """
    if _find_call(caller, callee) is None or (variables := _kept_variables(caller, callee)) is None:
        return
    for parenthesised in (False, True):
        text: list[str] | None = list(caller)
        replaced = 0
        while text is not None and (call := _find_call(text, callee)) is not None and replaced < len(caller):
            text = _replace(text, call, callee, parenthesised) if variables.keep_values(call, callee) else None
            replaced += 1
        if text is not None and replaced:
            yield text


def _kept_variables(caller: Sequence[str], callee: MethodTokens) -> _KeptVariables | None:
    """The variables of both; None where a name of the body could stand for another one where the call stands.

    It does where a local variable of one method has the name of a field that the other one uses, or where the body
    changes its copy of an argument. Bodies put in before add no such name, so the caller is looked at once.
    """
    around = variables_of(caller)
    body = variables_of(["void", callee.name, "(", ")", "{", *callee.body, "}"])
    if around is None or body is None or body.changed & set(callee.parameters):
        return None
    if (body.taken - set(callee.parameters)) & around.declared or body.declared & around.taken:
        return None
    return _KeptVariables(around, body)


def _find_call(tokens: Sequence[str], callee: MethodTokens) -> _Call | None:
    """The first call in the body; the declaration itself is not called by the same name."""
    opening_brace = next((i for i, token in enumerate(tokens) if token == "{"), len(tokens))
    for index in range(opening_brace, len(tokens) - 1):
        if tokens[index] != callee.name or tokens[index + 1] != "(" or tokens[index - 1] == "new":
            continue
        start = index
        if tokens[index - 1] == ".":
            if tokens[index - 2] != "this" or tokens[index - 3] == ".":
                continue
            start = index - 2
        close = _closing(tokens, index + 1)
        arguments = tuple(tuple(part) for part in _split(tokens[index + 2 : close]))
        if len(arguments) == len(callee.parameters):
            return _Call(start, close + 1, arguments)
    return None


def _replace(tokens: list[str], call: _Call, callee: MethodTokens, parenthesised: bool) -> list[str] | None:
    if not all(map(_is_simple, call.arguments)):
        return None
    body = _substitute(callee.body, dict(zip(callee.parameters, call.arguments, strict=True)))
    before, after = tokens[call.start - 1], tokens[call.end : call.end + 1]
    boundary = tokens[call.start - 2] if before == "return" else before
    if after == [";"] and boundary in STATEMENT_ENDS:
        return _as_statements(tokens, call, body, returned=before == "return")
    if "return" not in body:
        return None
    split = len(body) - 1 - body[::-1].index("return")
    statements, expression = body[:split], body[split + 1 :]
    if "return" in statements or expression[-1:] != [";"] or (statements and statements[-1] not in STATEMENT_ENDS):
        return None
    return _as_expression(tokens, call, statements, expression[:-1], parenthesised)


def _as_statements(tokens: list[str], call: _Call, body: list[str], *, returned: bool) -> list[str] | None:
    if returned:
        return tokens[: call.start - 1] + body + tokens[call.end + 1 :]
    if "return" in body:
        return None
    return tokens[: call.start] + body + tokens[call.end + 1 :]


def _as_expression(
    tokens: list[str], call: _Call, statements: list[str], expression: list[str], parenthesised: bool
) -> list[str] | None:
    before, after = tokens[call.start - 1], tokens[call.end]
    whole = before in BEFORE_WHOLE_EXPRESSION and after in AFTER_WHOLE_EXPRESSION
    if not whole and not parenthesised and len(expression) > 1:
        return None
    written = ["(", *expression, ")"] if parenthesised and not whole else expression
    if not statements:
        return tokens[: call.start] + written + tokens[call.end :]
    if before != "=" or after != ";":
        return None
    start = 1 + max(i for i in range(call.start) if tokens[i] in STATEMENT_ENDS)
    target = tokens[start : call.start - 1]
    if len(expression) == 1 and _declares(statements, [*target[:-1], expression[0]]):
        renamed = _substitute(statements, {expression[0]: (target[-1],)})
        return tokens[:start] + renamed + tokens[call.end + 1 :]
    return tokens[:start] + statements + tokens[start : call.start] + written + tokens[call.end :]


def _declares(statements: list[str], declaration: list[str]) -> bool:
    """Whether the statements declare the variable with the type that the assignment does."""
    size = len(declaration)
    return size > 1 and any(
        statements[i : i + size] == declaration and statements[i + size : i + size + 1] in (["="], [";"])
        for i in range(len(statements))
    )


def _substitute(tokens: Sequence[str], values: dict[str, tuple[str, ...]]) -> list[str]:
    """Replace names of variables; members and methods of the same name stay."""
    result: list[str] = []
    for index, token in enumerate(tokens):
        member = index > 0 and tokens[index - 1] in (".", "::")
        called = tokens[index + 1 : index + 2] == ["("]
        result += [token] if token not in values or member or called else values[token]
    return result


def _is_simple(argument: tuple[str, ...]) -> bool:
    """A name, a literal or a member access: evaluating it once or often makes no difference."""
    return len(argument) == 1 or (len(argument) % 2 == 1 and all(token == "." for token in argument[1::2]))


def _parameter_name(tokens: Sequence[str]) -> str:
    names = [token for token in tokens if token not in ("[", "]")]
    return names[-1]


def _split(tokens: Sequence[str]) -> list[list[str]]:
    """Split at commas outside brackets and type arguments."""
    parts: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token in OPENING or token == "<") - (token in CLOSING or token == ">")
        if token == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _closing(tokens: Sequence[str], opening: int) -> int:
    """The place of the bracket that closes the one at `opening`; the last place when there is none."""
    depth = 0
    for index in range(opening, len(tokens)):
        depth += (tokens[index] in OPENING) - (tokens[index] in CLOSING)
        if depth == 0:
            return index
    return len(tokens) - 1
