# pragma version 0.4.3
"""
A token that keeps a part of each transfer, so that less arrives than was sent.

The part, in millionths of the amount and rounded down, goes to the token itself, with a Transfer
of its own. An unlimited allowance is never reduced.
"""

import token

initializes: token

exports: (
    token.balanceOf,
    token.allowance,
    token.totalSupply,
    token.name,
    token.symbol,
    token.decimals,
)

fee_millionths: uint256


@internal
def _move(_from: address, _to: address, _value: uint256):
    fee: uint256 = _value * self.fee_millionths // 1_000_000
    token.move(_from, _to, _value - fee)
    token.move(_from, self, fee)


@external
def transfer(_to: address, _value: uint256) -> bool:
    self._move(msg.sender, _to, _value)
    return True


@external
def transferFrom(_from: address, _to: address, _value: uint256) -> bool:
    allowed: uint256 = token.allowance[_from][msg.sender]
    assert allowed >= _value
    self._move(_from, _to, _value)
    if allowed != max_value(uint256):
        token.allowance[_from][msg.sender] = allowed - _value
    return True


@external
def approve(_spender: address, _value: uint256) -> bool:
    token.approve(msg.sender, _spender, _value)
    return True
