# pragma version 0.4.3
"""
The list of Uniswap v2's pairs, ours: pairs are put into the first state, none is created.

`setPair`, which anyone may call unless the list is locked, is ours.
"""

pairs: HashMap[address, HashMap[address, address]]
locked: bool


@external
@view
def getPair(one: address, other: address) -> address:
    return self.pairs[one][other]


@external
def setPair(one: address, other: address, pair: address):
    assert not self.locked
    self.pairs[one][other] = pair
    self.pairs[other][one] = pair
