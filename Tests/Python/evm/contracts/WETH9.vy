# pragma version 0.4.3
"""
Wrapped ether as WETH9: a failed transfer reverts, an unlimited allowance is never reduced.

Ether that comes without a known function is a deposit. The supply is the ether that it holds.
"""

import token

initializes: token

exports: (
    token.balanceOf,
    token.allowance,
    token.name,
    token.symbol,
    token.decimals,
)

event Deposit:
    _owner: indexed(address)
    _value: uint256

event Withdrawal:
    _owner: indexed(address)
    _value: uint256


@external
@view
def totalSupply() -> uint256:
    return self.balance


@internal
def _deposit(_owner: address, _value: uint256):
    token.balanceOf[_owner] += _value
    log Deposit(_owner=_owner, _value=_value)


@external
@payable
def deposit():
    self._deposit(msg.sender, msg.value)


@external
def withdraw(_value: uint256):
    token.balanceOf[msg.sender] -= _value
    # With 2,300 gas for the receiver, as `transfer` of the original.
    send(msg.sender, _value)
    log Withdrawal(_owner=msg.sender, _value=_value)


@external
def transfer(_to: address, _value: uint256) -> bool:
    token.move(msg.sender, _to, _value)
    return True


@external
def transferFrom(_from: address, _to: address, _value: uint256) -> bool:
    if _from == msg.sender:
        # An owner needs no allowance.
        token.move(_from, _to, _value)
    else:
        token.move_for(msg.sender, _from, _to, _value)
    return True


@external
def approve(_spender: address, _value: uint256) -> bool:
    token.approve(msg.sender, _spender, _value)
    return True


@external
@payable
def __default__():
    self._deposit(msg.sender, msg.value)
