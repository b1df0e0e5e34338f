# pragma version 0.4.3
"""
Which functions the Exchange Proxy of 0x v4 has: those that are registered on its chain.
"""

# By selector: the contract that implements it. The genuine proxy delegates to that one; here it is
# only looked at, for as much gas.
features: HashMap[bytes4, address]


@internal
@pure
def refuse(selector: bytes4):
    raw_revert(abi_encode(selector, method_id=method_id("NotImplementedError(bytes4)")))


@internal
@view
def enter(selector: bytes4):
    """
    Reverts where the function is not registered.
    """
    feature: address = self.features[selector]
    if feature == empty(address):
        self.refuse(selector)
    assert feature.is_contract


@internal
@view
def has(selector: bytes4) -> bool:
    """
    The function is registered, so that a call of the contract to itself gets there.
    """
    feature: address = self.features[selector]
    return feature != empty(address) and feature.is_contract
