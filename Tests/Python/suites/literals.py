"""What stands literally in the Python files of others, without running them."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Pow: operator.pow,
}


class Source:
    """The text of a Python file; `names` are the constants and functions that it may use."""

    def __init__(self, text: str, names: Mapping[str, Any]) -> None:
        self._tree = ast.parse(text)
        self._names = names

    def constant(self, name: str) -> Any:
        """What is assigned to a name at the top of the file."""
        return self.value(self._assigned(name))

    def members(self, name: str, *keys: str) -> list[dict[str, Any]]:
        """Some members of each dictionary in a list that is assigned to a name."""
        return [
            {
                key.value: self.value(item)
                for key, item in zip(element.keys, element.values, strict=True)
                if isinstance(key, ast.Constant) and key.value in keys
            }
            for element in self._assigned(name).elts
        ]

    def _assigned(self, name: str) -> ast.expr:
        for node in self._tree.body:
            if isinstance(node, ast.Assign):
                target = node.targets[0]
                if isinstance(target, ast.Name) and target.id == name:
                    return node.value
        raise KeyError(f"nothing is assigned to {name}")

    def rows(self, function: str) -> list[Any]:
        """The cases of a test, as pytest.mark.parametrize has them before the function."""
        for decorator in self.function(function).decorator_list:
            if isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith(
                "parametrize"
            ):
                return self.value(decorator.args[1])
        raise KeyError(f"{function} has no cases")

    def function(self, name: str) -> ast.FunctionDef:
        """A function at the top of the file."""
        for node in self._tree.body:
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return node
        raise KeyError(f"there is no function {name}")

    def value(self, node: ast.expr) -> Any:
        """The value of an expression; tuples become lists."""
        match node:
            case ast.Constant():
                return node.value
            case ast.Tuple() | ast.List():
                return [self.value(item) for item in node.elts]
            case ast.Dict():
                keys = [self.value(key) for key in node.keys if key is not None]
                return dict(zip(keys, (self.value(item) for item in node.values), strict=True))
            case ast.UnaryOp(op=ast.USub()):
                return -self.value(node.operand)
            case ast.BinOp() if type(node.op) in OPERATORS:
                return OPERATORS[type(node.op)](self.value(node.left), self.value(node.right))
            case ast.Name() if node.id in self._names:
                return self._names[node.id]
            case ast.Name():
                return self.constant(node.id)
            case ast.Call() if not node.keywords:
                function = self._names[ast.unparse(node.func)]
                return function(*(self.value(item) for item in node.args))
        raise ValueError(f"{ast.unparse(node)[:200]} is more than a literal")
