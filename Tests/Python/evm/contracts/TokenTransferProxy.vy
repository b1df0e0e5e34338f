# pragma version 0.4.3
"""
The TokenTransferProxy of 0x v1: moves tokens for the contracts that it authorizes.

Who is authorized is written by the genesis and never changes, so its owner is nobody.
What the contract of 2017 answers with INVALID, which burns all gas, is UNREACHABLE here.
"""

import calldata

authorized: HashMap[address, bool]
authorities: DynArray[address, 16]


@internal
@view
def _authorities() -> Bytes[1024]:
    return abi_encode(self.authorities)


@internal
def _transfer_from(token: address, _from: address, _to: address, amount: uint256) -> bool:
    assert self.authorized[msg.sender]
    assert token.is_contract, UNREACHABLE
    success: bool = False
    answer: Bytes[32] = b""
    success, answer = raw_call(
        token,
        abi_encode(
            _from,
            _to,
            amount,
            method_id=method_id("transferFrom(address,address,uint256)"),
        ),
        max_outsize=32,
        revert_on_failure=False,
    )
    assert success, UNREACHABLE
    # The answer is written over the call's own bytes, which stay where nothing is answered.
    return len(answer) == 0 or convert(answer, uint256) != 0


@external
@payable
@raw_return
def __default__() -> Bytes[1024]:
    assert msg.value == 0, UNREACHABLE
    selector: bytes4 = calldata.selector()
    if selector == method_id("transferFrom(address,address,address,uint256)", output_type=bytes4):
        return abi_encode(
            self._transfer_from(
                calldata.account(calldata.word(4)),
                calldata.account(calldata.word(36)),
                calldata.account(calldata.word(68)),
                calldata.word(100),
            )
        )
    if selector == method_id("authorized(address)", output_type=bytes4):
        return abi_encode(self.authorized[calldata.account(calldata.word(4))])
    if selector == method_id("getAuthorizedAddresses()", output_type=bytes4):
        return self._authorities()
    if selector == method_id("owner()", output_type=bytes4):
        return abi_encode(empty(address))
    raise UNREACHABLE
