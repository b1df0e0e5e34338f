# pragma version 0.4.3
"""
A stand-in for 0x Settler: the same call, the same check of what arrives, and actions that trade
with our own pools.

Call data is read word by word, since that of Permit2 quotes is not canonical: the length of its
first action is too great, and the signature behind it belongs to it. Approximated: there is a
greatest number of actions, and a signature of another length than 64 or 65 is passed on as another
one that Permit2 refuses.
"""

import calldata
import strict_calldata

ALLOWANCE_HOLDER: constant(address) = 0x0000000000001fF3684f28c67538d4D072C22734
PERMIT2: constant(address) = 0x000000000022D473030F116dDEE9F6B43aC78BA3
NATIVE: constant(address) = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE
IDENTITY: constant(address) = 0x0000000000000000000000000000000000000004

MAX_ACTIONS: constant(uint256) = 128
# What ActionInvalid shows of the call data.
MAX_DATA: constant(uint256) = 4096

EXECUTE: constant(bytes4) = method_id(
    "execute((address,address,uint256),bytes[],bytes32)", output_type=bytes4
)
BALANCE_OF: constant(bytes4) = method_id("balanceOf(address)", output_type=bytes4)
TRANSFER_FROM: constant(bytes4) = method_id(
    "TRANSFER_FROM(address,((address,uint256),uint256,uint256),bytes)", output_type=bytes4
)
NATIVE_CHECK: constant(bytes4) = method_id("NATIVE_CHECK(uint256,uint256)", output_type=bytes4)
CHECK_SLIPPAGE: constant(bytes4) = method_id("CHECK_SLIPPAGE(bool)", output_type=bytes4)
STAND_IN_WRAP: constant(bytes4) = method_id("STAND_IN_WRAP()", output_type=bytes4)
STAND_IN_UNWRAP: constant(bytes4) = method_id("STAND_IN_UNWRAP()", output_type=bytes4)
STAND_IN_SELL: constant(bytes4) = method_id(
    "STAND_IN_SELL(address,address,address)", output_type=bytes4
)

struct Slippage:
    recipient: address
    token: address
    least: uint256


struct Action:
    # Where its arguments begin, and how many bytes it says they are.
    start: uint256
    size: uint256


# The wrapped ether of the chain.
wrapped: address


# Who calls


@internal
@view
def _is_forwarded() -> bool:
    return msg.sender == ALLOWANCE_HOLDER


@internal
@view
def _taker() -> address:
    if self._is_forwarded():
        return convert(convert(slice(msg.data, len(msg.data) - 20, 20), bytes20), address)
    return msg.sender


@internal
@view
def _head(index: uint256) -> uint256:
    """
    A word of the arguments; one that is missing reverts.
    """
    return strict_calldata.word(4 + 32 * index)


@internal
@pure
def _account(word: uint256) -> address:
    # Dirty bits revert.
    return convert(word, address)


@internal
@view
def _place(start: uint256, offset: uint256) -> uint256:
    """
    A place within the call data.
    """
    place: uint256 = start + offset
    assert place < len(msg.data)
    return place


@internal
@view
def _argument(action: Action, index: uint256) -> uint256:
    """
    A word of an action, as long as the action says it is; zeros follow after the call data.
    """
    assert action.size >= 32 * (index + 1)
    return calldata.word(action.start + 32 * index)


# Tokens


@internal
@view
def _balance(token: address) -> uint256:
    if token == NATIVE:
        return self.balance
    answer: Bytes[32] = raw_call(
        token,
        abi_encode(self, method_id=method_id("balanceOf(address)")),
        max_outsize=32,
        is_static_call=True,
    )
    assert len(answer) == 32
    return convert(answer, uint256)


@internal
def _send(token: address, to: address, amount: uint256):
    if token == NATIVE:
        raw_call(to, b"", value=amount)
        return
    answer: Bytes[32] = raw_call(
        token,
        abi_encode(to, amount, method_id=method_id("transfer(address,uint256)")),
        max_outsize=32,
    )
    # Some tokens answer nothing.
    if len(answer) != 0 and (len(answer) != 32 or convert(answer, uint256) != 1):
        raw_revert(method_id("TransferFailed()"))


# Actions


@internal
def _check(slippage: Slippage, is_exact: bool):
    """
    Sends what was bought, all of it or exactly the least; too little of it reverts.
    """
    if slippage.least == 0 and slippage.token == empty(address):
        return
    amount: uint256 = self._balance(slippage.token)
    if amount < slippage.least:
        raw_revert(
            abi_encode(
                slippage.token,
                slippage.least,
                amount,
                method_id=method_id("TooMuchSlippage(address,uint256,uint256)"),
            )
        )
    if is_exact:
        amount = slippage.least
    self._send(slippage.token, slippage.recipient, amount)


@internal
@view
def _require_time(deadline: uint256):
    if block.timestamp > deadline:
        raw_revert(abi_encode(deadline, method_id=method_id("SignatureExpired(uint256)")))


@internal
@view
def _signature(action: Action) -> Bytes[65]:
    """
    The byte string of the sixth argument; empty where it has neither 64 nor 65 bytes.
    """
    offset: uint256 = self._argument(action, 5)
    assert offset <= len(msg.data) and action.size >= offset + 32
    at: uint256 = action.start + offset
    size: uint256 = calldata.word(at)
    assert size <= len(msg.data) and size <= action.size - offset - 32
    last: bytes32 = convert(calldata.word(at + 96), bytes32)
    words: Bytes[64] = abi_encode(calldata.word(at + 32), calldata.word(at + 64))
    if size == 65:
        return concat(words, slice(last, 0, 1))
    if size == 64:
        return words
    if size == 0:
        return b""
    # As long as no signature is: Permit2 says so.
    return b"\x00"


@internal
def _transfer_from(action: Action):
    """
    Takes the sold token from the taker.
    """
    recipient: address = self._account(self._argument(action, 0))
    token: address = self._account(self._argument(action, 1))
    amount: uint256 = self._argument(action, 2)
    nonce: uint256 = self._argument(action, 3)
    deadline: uint256 = self._argument(action, 4)
    signature: Bytes[65] = self._signature(action)
    taker: address = self._taker()
    if not self._is_forwarded():
        raw_call(
            PERMIT2,
            abi_encode(
                token,
                amount,
                nonce,
                deadline,
                recipient,
                amount,
                taker,
                signature,
                method_id=method_id(
                    "permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)"
                ),
            ),
        )
        return
    if len(signature) != 0:
        raw_revert(method_id("InvalidSignatureLen()"))
    if nonce != 0:
        # As checked arithmetic of Solidity refuses a number.
        raw_revert(abi_encode(convert(17, uint256), method_id=method_id("Panic(uint256)")))
    self._require_time(deadline)
    raw_call(
        ALLOWANCE_HOLDER,
        abi_encode(
            token,
            taker,
            recipient,
            amount,
            method_id=method_id("transferFrom(address,address,address,uint256)"),
        ),
    )


@internal
@payable
def _native_check(action: Action):
    self._require_time(self._argument(action, 0))
    value: uint256 = self._argument(action, 1)
    if msg.value > value:
        raw_revert(
            abi_encode(
                value, msg.value, method_id=method_id("MsgValueMismatch(uint256,uint256)")
            )
        )


@internal
def _sell(action: Action):
    """
    Sells all that is here of a token to a pool.
    """
    pool: address = self._account(self._argument(action, 0))
    token: address = self._account(self._argument(action, 1))
    recipient: address = self._account(self._argument(action, 2))
    self._send(token, pool, self._balance(token))
    answer: Bytes[32] = raw_call(
        pool,
        abi_encode(token, recipient, method_id=method_id("sell(address,address)")),
        max_outsize=32,
    )
    assert len(answer) == 32


@internal
@view
def _refuse(index: uint256, selector: bytes4, action: Action):
    """
    Says which action is unknown, with its arguments as far as there is call data.
    """
    all: Bytes[MAX_DATA] = raw_call(
        IDENTITY, msg.data, max_outsize=MAX_DATA, is_static_call=True
    )
    start: uint256 = min(action.start, len(all))
    raw_revert(
        abi_encode(
            index,
            selector,
            slice(all, start, min(action.size, len(all) - start)),
            method_id=method_id("ActionInvalid(uint256,bytes4,bytes)"),
        )
    )


@internal
@view
def _action(first: uint256, count: uint256, index: uint256) -> Action:
    """
    Where an action is: anywhere behind the offsets. It may say that it is longer than the call
    data, as the first one of a Permit2 quote does.
    """
    offset: uint256 = strict_calldata.word(first + 32 * index)
    assert offset >= 32 * count
    at: uint256 = self._place(first, offset)
    size: uint256 = calldata.word(at)
    assert size >= 4
    return Action(start=at + 36, size=size - 4)


@internal
@payable
def _execute():
    slippage: Slippage = Slippage(
        recipient=self._account(self._head(0)),
        token=self._account(self._head(1)),
        least=self._head(2),
    )
    actions: uint256 = self._place(4, self._head(3))
    # The fifth word is an id, which only has to be there.
    assert len(msg.data) >= 164
    count: uint256 = calldata.word(actions)
    first: uint256 = actions + 32
    assert count <= MAX_ACTIONS and first + 32 * count <= len(msg.data)
    for index: uint256 in range(count, bound=MAX_ACTIONS):
        action: Action = self._action(first, count, index)
        selector: bytes4 = convert(
            slice(convert(calldata.word(action.start - 4), bytes32), 0, 4), bytes4
        )
        if selector == TRANSFER_FROM:
            self._transfer_from(action)
        elif selector == NATIVE_CHECK:
            self._native_check(action)
        elif selector == CHECK_SLIPPAGE:
            flag: uint256 = self._argument(action, 0)
            assert flag <= 1
            self._check(slippage, flag == 1)
            slippage = empty(Slippage)
        elif selector == STAND_IN_WRAP:
            raw_call(self.wrapped, method_id("deposit()"), value=self.balance)
        elif selector == STAND_IN_UNWRAP:
            raw_call(
                self.wrapped,
                abi_encode(self._balance(self.wrapped), method_id=method_id("withdraw(uint256)")),
            )
        elif selector == STAND_IN_SELL:
            self._sell(action)
        else:
            self._refuse(index, selector, action)
    self._check(slippage, False)


@external
@payable
@raw_return
def __default__() -> Bytes[32]:
    if len(msg.data) == 0:
        # Unwrapped ether comes without a call.
        return b""
    selector: bytes4 = strict_calldata.selector()
    if selector == BALANCE_OF:
        # A single byte: it is no token, and the AllowanceHolder may call it.
        return b"\x00"
    assert selector == EXECUTE
    self._execute()
    return abi_encode(True)
