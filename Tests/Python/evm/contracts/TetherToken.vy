# pragma version 0.4.3
"""
A token as USDT: it returns nothing, refuses to raise an allowance that is not zero, and burns all
gas where a balance or allowance is short. An unlimited allowance is never reduced.

Each function reads whether the token has been replaced.
"""

import token

initializes: token

exports: (
    token.name,
    token.symbol,
    token.decimals,
)

# Turns of a loop that does nothing.
STEPS: constant(uint256) = 14

deprecated: public(bool)


@internal
@view
def _check():
    assert not self.deprecated
    # What the unoptimised code of the original computes beside: with it balanceOf of a cold token
    # costs some 5,040 gas (5,028 there), more than the Exchange gives it.
    for _step: uint256 in range(STEPS):
        pass


@external
@view
def totalSupply() -> uint256:
    self._check()
    return token.totalSupply


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


@internal
def _move(_from: address, _to: address, _value: uint256):
    assert token.balanceOf[_from] >= _value, UNREACHABLE
    assert token.balanceOf[_to] <= max_value(uint256) - _value, UNREACHABLE
    token.move(_from, _to, _value)


@external
def transfer(_to: address, _value: uint256):
    self._check()
    self._move(msg.sender, _to, _value)


@external
def transferFrom(_from: address, _to: address, _value: uint256):
    self._check()
    allowed: uint256 = token.allowance[_from][msg.sender]
    assert allowed >= _value, UNREACHABLE
    self._move(_from, _to, _value)
    if allowed != max_value(uint256):
        token.allowance[_from][msg.sender] = allowed - _value


@external
def approve(_spender: address, _value: uint256):
    self._check()
    assert _value == 0 or token.allowance[msg.sender][_spender] == 0
    token.approve(msg.sender, _spender, _value)
