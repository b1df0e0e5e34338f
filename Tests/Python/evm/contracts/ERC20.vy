# pragma version 0.4.3
"""
An ERC-20 token: a failed transfer reverts, an unlimited allowance is never reduced.
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


@external
def transfer(_to: address, _value: uint256) -> bool:
    token.move(msg.sender, _to, _value)
    return True


@external
def transferFrom(_from: address, _to: address, _value: uint256) -> bool:
    token.move_for(msg.sender, _from, _to, _value)
    return True


@external
def approve(_spender: address, _value: uint256) -> bool:
    token.approve(msg.sender, _spender, _value)
    return True
