# pragma version 0.4.3
"""
The list of Uniswap v2's pairs, ours: pairs are put into the first state, none is created.

`setPair`, which anyone may call, is ours.
"""

pairs: HashMap[address, HashMap[address, address]]


@external
@view
def getPair(one: address, other: address) -> address:
    return self.pairs[one][other]


@external
def setPair(one: address, other: address, pair: address):
    self.pairs[one][other] = pair
    self.pairs[other][one] = pair
