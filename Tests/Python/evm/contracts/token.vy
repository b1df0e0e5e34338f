# pragma version 0.4.3
"""
What the tokens here share: the state of an ERC-20, its events, and moves that revert on failure.

What a token holds is written by the genesis, so there are no constructors.
"""

event Transfer:
    _from: indexed(address)
    _to: indexed(address)
    _value: uint256

event Approval:
    _owner: indexed(address)
    _spender: indexed(address)
    _value: uint256

balanceOf: public(HashMap[address, uint256])
allowance: public(HashMap[address, HashMap[address, uint256]])
totalSupply: public(uint256)
name: public(String[32])
symbol: public(String[32])
decimals: public(uint8)


@internal
def move(_from: address, _to: address, _value: uint256):
    self.balanceOf[_from] -= _value
    self.balanceOf[_to] += _value
    log Transfer(_from=_from, _to=_to, _value=_value)


@internal
def move_for(_spender: address, _from: address, _to: address, _value: uint256):
    """
    Moves what the owner lets the spender move. An unlimited allowance is not reduced.
    """
    allowed: uint256 = self.allowance[_from][_spender]
    assert allowed >= _value
    self.move(_from, _to, _value)
    if allowed != max_value(uint256):
        self.allowance[_from][_spender] = allowed - _value


@internal
def approve(_owner: address, _spender: address, _value: uint256):
    self.allowance[_owner][_spender] = _value
    log Approval(_owner=_owner, _spender=_spender, _value=_value)
