# pragma version 0.4.3
"""
The registry of 0x's deployed Settlers, a stand-in: which contract is current for a feature, and
which was before it. Anyone may change it here, unless it is locked: those functions are ours, for
tests.
"""

current: HashMap[uint256, address]
previous: HashMap[uint256, address]
paused: bool
locked: bool


@external
@view
def ownerOf(feature: uint256) -> address:
    """
    The current contract; reverts while it is paused.
    """
    owner: address = self.current[feature]
    if self.paused or owner == empty(address):
        raw_revert(
            abi_encode(feature, method_id=method_id("ERC721NonexistentToken(uint256)"))
        )
    return owner


@external
@view
def prev(feature: uint128) -> address:
    return self.previous[convert(feature, uint256)]


@external
def setPaused(paused: bool):
    assert not self.locked
    self.paused = paused


@external
def setCurrent(feature: uint256, settler: address):
    """
    As a deployment: what was current is the previous one.
    """
    assert not self.locked
    self.previous[feature] = self.current[feature]
    self.current[feature] = settler
