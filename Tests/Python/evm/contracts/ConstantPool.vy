# pragma version 0.4.3
"""
A pool of two tokens, ours: the product of its reserves never falls, and 0.3 % of each sale stays.
"""

event Sold:
    token: indexed(address)
    recipient: indexed(address)
    amountIn: uint256
    amountOut: uint256

token_0: address
token_1: address
reserve_0: uint256
reserve_1: uint256


@external
@view
def tokens() -> (address, address):
    return self.token_0, self.token_1


@external
@view
def reserves() -> (uint256, uint256):
    return self.reserve_0, self.reserve_1


@internal
@view
def _balance(token: address) -> uint256:
    answer: Bytes[32] = raw_call(
        token,
        abi_encode(self, method_id=method_id("balanceOf(address)")),
        max_outsize=32,
        is_static_call=True,
    )
    return convert(answer, uint256)


@internal
def _send(token: address, to: address, amount: uint256):
    answer: Bytes[32] = raw_call(
        token,
        abi_encode(to, amount, method_id=method_id("transfer(address,uint256)")),
        max_outsize=32,
    )
    # Some tokens answer nothing.
    assert len(answer) == 0 or convert(answer, uint256) != 0


@external
def sell(token: address, recipient: address) -> uint256:
    """
    Sells what came in of a token since the last sale.
    """
    is_first: bool = token == self.token_0
    assert is_first or token == self.token_1
    reserve_in: uint256 = self.reserve_0 if is_first else self.reserve_1
    reserve_out: uint256 = self.reserve_1 if is_first else self.reserve_0
    amount: uint256 = self._balance(token) - reserve_in
    assert amount > 0
    kept: uint256 = amount * 997
    out: uint256 = kept * reserve_out // (reserve_in * 1000 + kept)
    assert out > 0
    if is_first:
        self.reserve_0 = reserve_in + amount
        self.reserve_1 = reserve_out - out
        self._send(self.token_1, recipient, out)
    else:
        self.reserve_1 = reserve_in + amount
        self.reserve_0 = reserve_out - out
        self._send(self.token_0, recipient, out)
    log Sold(token=token, recipient=recipient, amountIn=amount, amountOut=out)
    return out
