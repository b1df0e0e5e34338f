# pragma version 0.4.3
"""
The AllowanceHolder of 0x Settler: tokens are approved for it, and a call lets one operator move
them for the time of one transaction.

Written from the behaviour of the published contract. Approximated: call data and answers have a
greatest length, missing or dirty words and data that is cut revert always, and the contract is never its
own target.
"""

import strict_calldata

MAX_DATA: constant(uint256) = 16384
MAX_ANSWER: constant(uint256) = 4096

# By operator, owner and token. It ends with the transaction.
permitted: transient(HashMap[address, HashMap[address, HashMap[address, uint256]]])


@internal
@view
def _reject_token(target: address, data: Bytes[MAX_DATA]):
    """
    Reverts where the target answers a question for a balance as an ERC-20 does: calling a token
    from here would use the allowances of everyone.
    """
    assert target.is_contract
    owner: address = empty(address)
    if len(data) > 16:
        padded: Bytes[MAX_DATA + 32] = concat(data, empty(bytes32))
        owner = convert(convert(slice(padded, 16, 20), bytes20), address)
    if convert(owner, uint256) <= 65535:
        owner = 0x000000000000000000000000000000000000dEaD
    success: bool = False
    answer: Bytes[32] = b""
    success, answer = raw_call(
        target,
        abi_encode(owner, method_id=method_id("balanceOf(address)")),
        max_outsize=32,
        is_static_call=True,
        revert_on_failure=False,
    )
    if success and len(answer) == 32:
        raw_revert(method_id("ConfusedDeputy()"))


@external
@payable
def exec(
    operator: address, token: address, amount: uint256, target: address, data: Bytes[MAX_DATA]
) -> Bytes[MAX_ANSWER]:
    """
    Calls the target with the data, the sender's 20 bytes behind it, and all the ether.
    """
    # What ends before its length does would be read as zeros; genuine contracts do so too, but no
    # genuine call ends like that.
    offset: uint256 = strict_calldata.word(132)
    assert 36 + offset + len(data) <= len(msg.data)
    self._reject_token(target, data)
    self.permitted[operator][msg.sender][token] = amount
    answer: Bytes[MAX_ANSWER] = raw_call(
        target,
        concat(data, convert(msg.sender, bytes20)),
        max_outsize=MAX_ANSWER,
        value=msg.value,
    )
    if msg.sender != tx.origin:
        # A contract may go on in the same transaction; its permission does not.
        self.permitted[operator][msg.sender][token] = 0
    return answer


@external
def transferFrom(token: address, owner: address, recipient: address, amount: uint256) -> bool:
    """
    Moves tokens as their operator.
    """
    allowed: uint256 = self.permitted[msg.sender][owner][token]
    if amount > allowed:
        # As checked arithmetic of Solidity refuses it.
        raw_revert(abi_encode(convert(17, uint256), method_id=method_id("Panic(uint256)")))
    self.permitted[msg.sender][owner][token] = allowed - amount
    answer: Bytes[32] = raw_call(
        token,
        abi_encode(
            owner,
            recipient,
            amount,
            method_id=method_id("transferFrom(address,address,uint256)"),
        ),
        max_outsize=32,
    )
    # A token that answers nothing at all has done it.
    if len(answer) != 0 and (len(answer) != 32 or convert(answer, uint256) != 1):
        raw_revert(method_id("TransferFromFailed()"))
    return True
