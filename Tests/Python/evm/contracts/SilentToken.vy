# pragma version 0.4.3
"""
A token whose transfers return nothing and log nothing, and which reduces every allowance.
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


@internal
def _move(_from: address, _to: address, _value: uint256):
    token.balanceOf[_from] -= _value
    token.balanceOf[_to] += _value


@external
def transfer(_to: address, _value: uint256):
    self._move(msg.sender, _to, _value)


@external
def transferFrom(_from: address, _to: address, _value: uint256):
    token.allowance[_from][msg.sender] -= _value
    self._move(_from, _to, _value)


@external
def approve(_spender: address, _value: uint256) -> bool:
    token.approve(msg.sender, _spender, _value)
    return True
