# pragma version 0.4.3
"""
A token whose every function reads two flags first, so that a cold query costs over 4,999 gas.
"""

import token

initializes: token

exports: (
    token.totalSupply,
    token.name,
    token.symbol,
    token.decimals,
)

paused: public(bool)
deprecated: public(bool)


@internal
@view
def _check():
    assert not self.paused
    assert not self.deprecated


@external
@view
def balanceOf(_owner: address) -> uint256:
    self._check()
    return token.balanceOf[_owner]


@external
@view
def allowance(_owner: address, _spender: address) -> uint256:
    self._check()
    return token.allowance[_owner][_spender]


@external
def transfer(_to: address, _value: uint256) -> bool:
    self._check()
    token.move(msg.sender, _to, _value)
    return True


@external
def transferFrom(_from: address, _to: address, _value: uint256) -> bool:
    self._check()
    token.move_for(msg.sender, _from, _to, _value)
    return True


@external
def approve(_spender: address, _value: uint256) -> bool:
    self._check()
    token.approve(msg.sender, _spender, _value)
    return True
