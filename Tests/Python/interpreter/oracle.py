"""The executable specification as a judge: PyPI `ethereum-execution`."""

from __future__ import annotations

import importlib
from typing import Any

from cases import BLOCK, Case, Result
from ethereum.crypto.hash import Hash32, keccak256
from ethereum.exceptions import EthereumException, InvalidBlock
from ethereum_types.bytes import Bytes, Bytes0, Bytes20, Bytes32
from ethereum_types.numeric import U64, U256, Uint

REVISIONS = ["cancun", "prague", "osaka"]

REASONS = {
    "NonceMismatchError": "nonce",
    "NonceOverflowError": "nonce",
    "InsufficientBalanceError": "funds",
    "InsufficientTransactionGasError": "gasTooLow",
    "TransactionGasLimitExceededError": "gasTooHigh",
    "GasUsedExceedsLimitError": "gasTooHigh",
    "PriorityFeeGreaterThanMaxFeeError": "fees",
    "InsufficientMaxFeePerGasError": "fees",
    "InvalidSenderError": "contract",
    "InitCodeTooLargeError": "initCode",
    "EmptyAuthorizationListError": "authorizations",
    "NoBlobDataError": "blobs",
    "BlobCountExceededError": "blobs",
    "BlobGasLimitExceededError": "blobs",
    "InvalidBlobVersionedHashError": "blobs",
    "InsufficientMaxFeePerBlobGasError": "blobs",
}


def keccak(data: bytes) -> bytes:
    return bytes(keccak256(data))


def block_hash(number: int) -> bytes:
    """The hashes of earlier blocks, as the Swift side makes them."""
    return keccak(f"block {number}".encode())


class Oracle:
    """The rules of one fork."""

    def __init__(self, revision: str) -> None:
        def module(name: str) -> Any:
            return importlib.import_module(f"ethereum.forks.{revision}.{name}")

        self.revision = revision
        self.fork, self.state, self.types = module("fork"), module("state"), module("fork_types")
        self.transactions, self.vm, self.gas = (
            module("transactions"),
            module("vm"),
            module("vm.gas"),
        )
        self.interpreter = module("vm.interpreter")
        self.answer = b""
        self.done: Any = None
        self.record()
        self.sender = Bytes20(bytes(20))
        # The signatures are not what is judged.
        self.fork.recover_sender = lambda chain, transaction: self.address(self.sender)
        if revision != "cancun":
            delegations = module("vm.eoa_delegation")
            failure = delegations.InvalidSignatureError

            def signer(authorization: Any) -> Any:
                who = self.signers[int(authorization.r)]
                if who is None:
                    raise failure("nobody")
                return self.address(who)

            delegations.recover_authority = signer

    def record(self) -> None:
        """Keeps what the outermost call did and answered: it is the last one that ends."""
        process = self.fork.process_message_call

        def recorded(*arguments: Any) -> Any:
            self.answer = b""
            self.done = process(*arguments)
            return self.done

        self.fork.process_message_call = recorded

        def watched(inner: Any) -> Any:
            def run(*arguments: Any) -> Any:
                evm = inner(*arguments)
                self.answer = bytes(evm.output)
                return evm

            return run

        for name in ("process_message", "process_create_message"):
            setattr(self.interpreter, name, watched(getattr(self.interpreter, name)))

    def address(self, of: str | bytes) -> Any:
        raw = bytes.fromhex(of[2:]) if isinstance(of, str) else of
        return self.types.Address(raw)

    @property
    def blob_fee(self) -> int:
        return int(self.gas.calculate_blob_gas_price(U64(BLOCK["excess"])))

    def run(self, case: Case) -> Result:
        state = self.state.State()
        for who, (nonce, balance, code, storage) in case.state().items():
            account = self.types.Account(nonce=Uint(nonce), balance=U256(balance), code=Bytes(code))
            self.state.set_account(state, self.address(who), account)
            for slot, value in storage.items():
                self.state.set_storage(
                    state, self.address(who), Bytes32(slot.to_bytes(32, "big")), U256(value)
                )
        number = int(BLOCK["number"])
        block = self.vm.BlockEnvironment(
            chain_id=U64(BLOCK["chain"]),
            state=state,
            block_gas_limit=Uint(case.limit or BLOCK["limit"]),
            block_hashes=[Hash32(block_hash(n)) for n in range(number - 256, number)],
            coinbase=self.address(BLOCK["coinbase"]),
            number=Uint(number),
            base_fee_per_gas=Uint(BLOCK["baseFee"]),
            time=U256(BLOCK["time"]),
            prev_randao=Bytes32(bytes.fromhex(BLOCK["random"][2:])),
            excess_blob_gas=U64(BLOCK["excess"]),
            parent_beacon_block_root=Hash32(bytes(32)),
        )
        output = self.vm.BlockOutput()
        if case.authorizations is not None and self.revision == "cancun":
            return Result("refused authorizations")
        try:
            self.fork.process_transaction(block, output, self.transaction(case), Uint(0))
        except InvalidBlock as error:
            # The specification has no name of its own for a price below the base fee.
            return Result(f"refused {'fees' if case.tip is None else type(error).__name__}")
        except EthereumException as error:
            name = type(error).__name__
            if name == "TransactionTypeContractCreationError":
                reason = "blobs" if case.blobs is not None else "authorizations"
            else:
                reason = REASONS[name]
            return Result(f"refused {reason}")
        done = self.done
        name = type(done.error).__name__
        ending = "succeeded" if done.error is None else "reverted" if name == "Revert" else "failed"
        return Result(
            ending=ending,
            gas=int(output.block_gas_used),
            # The code of a contract that was created is in the state.
            output=b"" if case.to is None and done.error is None else self.answer,
            logs=[
                (
                    "0x" + bytes(log.address).hex(),
                    [int.from_bytes(topic, "big") for topic in log.topics],
                    bytes(log.data),
                )
                for log in done.logs
            ],
            state=self.after(state),
            spent=case.gas - int(done.gas_left),
        )

    def after(self, state: Any) -> dict[str, Any]:
        found = {}
        for who, account in state._main_trie._data.items():
            if account is None or not (account.nonce or account.balance or account.code):
                continue
            trie = state._storage_tries.get(who)
            storage = {
                int.from_bytes(slot, "big"): int(value)
                for slot, value in (trie._data.items() if trie else ())
            }
            found["0x" + bytes(who).hex()] = (
                int(account.nonce),
                int(account.balance),
                bytes(account.code),
                storage,
            )
        return found

    def transaction(self, case: Case) -> Any:
        self.sender = bytes.fromhex(case.sender[2:])
        kinds = self.transactions
        to = Bytes0() if case.to is None else self.address(case.to)
        signature = {"r": U256(1), "s": U256(1)}
        common = {
            "gas": Uint(case.gas),
            "to": to,
            "value": U256(case.value),
            "data": Bytes(case.data),
        }
        access = tuple(
            kinds.Access(
                account=self.address(who),
                slots=tuple(Bytes32(slot.to_bytes(32, "big")) for slot in slots),
            )
            for who, slots in case.access
        )
        if case.tip is None and not access:
            return kinds.LegacyTransaction(
                nonce=U256(case.nonce),
                gas_price=Uint(case.max_fee),
                v=U256(27),
                **common,
                **signature,
            )
        typed = {
            "chain_id": U64(BLOCK["chain"]),
            "access_list": access,
            "y_parity": U256(0),
            **common,
            **signature,
        }
        if case.tip is None:
            return kinds.AccessListTransaction(
                nonce=U256(case.nonce), gas_price=Uint(case.max_fee), **typed
            )
        fees = {
            "max_priority_fee_per_gas": Uint(case.tip),
            "max_fee_per_gas": Uint(case.max_fee),
        }
        if case.blobs is not None:
            return kinds.BlobTransaction(
                nonce=U256(case.nonce),
                max_fee_per_blob_gas=U256(case.blob_fee),
                blob_versioned_hashes=tuple(Hash32(blob) for blob in case.blobs),
                **fees,
                **typed,
            )
        if case.authorizations is not None:
            self.signers = [signer for *_, signer in case.authorizations]
            return kinds.SetCodeTransaction(
                nonce=U64(case.nonce),
                authorizations=tuple(
                    self.types.Authorization(
                        chain_id=U256(chain),
                        address=self.address(delegate),
                        nonce=U64(nonce),
                        y_parity=U256(0),
                        r=U256(index),
                        s=U256(1),
                    )
                    for index, (chain, delegate, nonce, _) in enumerate(case.authorizations)
                ),
                **fees,
                **typed,
            )
        return kinds.FeeMarketTransaction(nonce=U256(case.nonce), **fees, **typed)
