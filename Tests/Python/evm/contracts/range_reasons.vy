# pragma version 0.4.3
"""
The reasons of a Uniswap v3 pool, each as the number that its letters are: a text in its place costs a
hundred and fifty bytes of code.
"""

I: constant(uint256) = 73
R: constant(uint256) = 82
AS_: constant(uint256) = 16723
AI: constant(uint256) = 16713
LA: constant(uint256) = 19521
LS: constant(uint256) = 19539
LO: constant(uint256) = 19535
NP: constant(uint256) = 20048
TF: constant(uint256) = 21574
M0: constant(uint256) = 19760
M1: constant(uint256) = 19761
LOK: constant(uint256) = 5001035
SPL: constant(uint256) = 5460044
IIA: constant(uint256) = 4802881
OLD: constant(uint256) = 5196868
TLU: constant(uint256) = 5524565
TLM: constant(uint256) = 5524557
TUM: constant(uint256) = 5526861


@internal
@pure
def require(holds: bool, reason: uint256):
    """
    Reverts with a reason of up to three letters, as `assert` does with a text.
    """
    if holds:
        return
    size: uint256 = 1
    if reason >= 2**16:
        size = 3
    elif reason >= 2**8:
        size = 2
    letters: uint256 = reason << (256 - 8 * size)
    head: uint256 = 32
    raw_revert(abi_encode(head, size, letters, method_id=method_id("Error(string)")))
