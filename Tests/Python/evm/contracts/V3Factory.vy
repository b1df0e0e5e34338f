# pragma version 0.4.3
"""
The list of Uniswap v3's pools and tiers, ours: pools are put into the first state, none is created.

`setPool` and `setFee`, which anyone may call unless the list is locked, are ours.
"""

# The spacing of the ticks by the fee in millionths; 0 for a fee that pools cannot have.
feeAmountTickSpacing: public(HashMap[uint24, int24])
pools: HashMap[address, HashMap[address, HashMap[uint24, address]]]
locked: bool


@external
@view
def getPool(one: address, other: address, fee: uint24) -> address:
    return self.pools[one][other][fee]


@external
def setPool(one: address, other: address, fee: uint24, pool: address):
    assert not self.locked
    self.pools[one][other][fee] = pool
    self.pools[other][one][fee] = pool


@external
def setFee(fee: uint24, spacing: int24):
    assert not self.locked
    self.feeAmountTickSpacing[fee] = spacing
