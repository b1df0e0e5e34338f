# pragma version 0.4.3
"""
The fixed part of an upgradeable token as USDC: all calls are delegated to an implementation.

Its first variables are those of the implementation, ERC20.vy, whose code runs on this storage.
"""

import token

initializes: token

implementation: address


@external
@payable
@raw_return
def __default__() -> Bytes[96]:
    return raw_call(self.implementation, msg.data, max_outsize=96, is_delegate_call=True)
