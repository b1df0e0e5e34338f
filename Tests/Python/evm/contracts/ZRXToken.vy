# pragma version 0.4.3
"""
A token as ZRX: a transfer that cannot be made answers false and changes nothing.

An unlimited allowance is never reduced. Ether and unknown functions burn all gas.
"""

import token

initializes: token

exports: (
    token.balanceOf,
    token.allowance,
    token.totalSupply,
)

# Constants of its code, where other tokens read their storage.
NAME: constant(String[17]) = "0x Protocol Token"
SYMBOL: constant(String[3]) = "ZRX"
DECIMALS: constant(uint8) = 18


@external
@pure
def name() -> String[17]:
    return NAME


@external
@pure
def symbol() -> String[3]:
    return SYMBOL


@external
@pure
def decimals() -> uint8:
    return DECIMALS


@internal
@view
def _can_move(_from: address, _to: address, _value: uint256) -> bool:
    if token.balanceOf[_from] < _value:
        return False
    return token.balanceOf[_to] <= max_value(uint256) - _value


@external
@payable
def transfer(_to: address, _value: uint256) -> bool:
    assert msg.value == 0, UNREACHABLE
    if not self._can_move(msg.sender, _to, _value):
        return False
    token.move(msg.sender, _to, _value)
    return True


@external
@payable
def transferFrom(_from: address, _to: address, _value: uint256) -> bool:
    assert msg.value == 0, UNREACHABLE
    if token.allowance[_from][msg.sender] < _value:
        return False
    if not self._can_move(_from, _to, _value):
        return False
    token.move_for(msg.sender, _from, _to, _value)
    return True


@external
@payable
def approve(_spender: address, _value: uint256) -> bool:
    assert msg.value == 0, UNREACHABLE
    token.approve(msg.sender, _spender, _value)
    return True


@external
@payable
def __default__():
    raise UNREACHABLE
