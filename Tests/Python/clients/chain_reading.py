"""What web3.py reads of the chain: blocks, fees, state of now and then, contracts."""

from __future__ import annotations

import rlp
from checks import Check
from eth_account.messages import encode_defunct
from eth_utils import keccak
from hexbytes import HexBytes
from peer import CHAIN_ID, GWEI, Peer
from web3.exceptions import BlockNotFound, TransactionNotFound, Web3RPCError

import contracts

HEADER = [
    "parentHash", "sha3Uncles", "miner", "stateRoot", "transactionsRoot", "receiptsRoot",
    "logsBloom", "difficulty", "number", "gasLimit", "gasUsed", "timestamp", "extraData",
    "mixHash", "nonce", "baseFeePerGas", "withdrawalsRoot", "blobGasUsed", "excessBlobGas",
    "parentBeaconBlockRoot", "requestsHash",
]


def identity(check: Check, peer: Peer) -> None:
    """the node says which chain it is, that it is not syncing, and that it holds no keys"""
    w3 = peer.w3
    check.equal(w3.is_connected(), True, "the connection")
    check.equal(w3.eth.chain_id, CHAIN_ID, "the chain id")
    check.equal(w3.net.version, str(CHAIN_ID), "the network")
    check.equal(w3.net.listening, True, "listening")
    check.equal(w3.eth.syncing, False, "syncing")
    check.equal(list(w3.eth.accounts), [], "the node's accounts")
    check.true("dex" in w3.client_version, f"the node is {w3.client_version}")
    check.true(w3.eth.get_code(contracts.EXCHANGE) != b"", "the exchange has no code")
    check.equal(w3.eth.get_code(peer.alice.address), b"", "the code of an account")
    check.equal(w3.eth.get_balance("0x" + 40 * "1"), 0, "the balance of nobody")


def blocks(check: Check, peer: Peer) -> None:
    """a block's hash is that of its header, by its number, its hash and its tags"""
    w3 = peer.w3
    peer.control("evm_mine", {"blocks": 70})
    newest = w3.eth.block_number
    earlier = w3.eth.get_block(newest - 3)
    for number in range(newest - 2, newest + 1):
        block = w3.eth.get_block(number)
        check.equal(header_hash(block), block.hash, f"the hash of block {number}")
        check.equal(block.parentHash, earlier.hash, "the parent")
        check.equal(w3.eth.get_block(block.hash), block, "the block by its hash")
        check.true(block.timestamp >= earlier.timestamp, "time ran backwards")
        earlier = block
    check.equal(header_hash(w3.eth.get_block(0)), w3.eth.get_block(0).hash, "the first block")
    check.equal(w3.eth.get_block("earliest").number, 0, "the earliest block")
    check.equal(w3.eth.get_block("latest").number, newest, "the latest block")
    check.equal(w3.eth.get_block("safe").number, newest - 32, "the safe block")
    check.equal(w3.eth.get_block("finalized").number, newest - 64, "the finalized block")
    for place in (newest + 1, 2**40, b"\x11" * 32):
        check.raises(BlockNotFound, lambda: w3.eth.get_block(place), f"block {place!r}")
    check.raises(
        TransactionNotFound, lambda: w3.eth.get_transaction(b"\x11" * 32), "no transaction"
    )
    for place in (newest, earlier.hash):
        check.raises(
            TransactionNotFound,
            lambda: w3.eth.get_transaction_by_block(place, 5),
            "a transaction beyond the block's",
        )
    check.raises(
        BlockNotFound,
        lambda: w3.eth.get_block_transaction_count(b"\x11" * 32),
        "the count of an unknown block",
    )


def header_hash(block: object) -> bytes:
    """Keccak-256 over the RLP of a header of Prague's 21 fields."""
    items = []
    for name in HEADER:
        value = block[name]
        if name == "miner":
            value = bytes.fromhex(value[2:])
        items.append(rlp.sedes.big_endian_int.serialize(value) if isinstance(value, int) else value)
    return keccak(rlp.encode([bytes(item) for item in items]))


def fees(check: Check, peer: Peer) -> None:
    """the fee history is that of the blocks, and the next base fee follows by EIP-1559"""
    w3 = peer.w3
    for kind, tip in ((2, 3), (2, 1), (0, 0)):
        fields = {"maxPriorityFeePerGas": tip * GWEI} if kind == 2 else {"gasPrice": 20 * GWEI}
        peer.send(peer.alice, kind, **fields)
    newest = w3.eth.block_number
    count = 6
    history = w3.eth.fee_history(count, "latest", [0, 50, 100])
    found = [w3.eth.get_block(number) for number in range(newest - count + 1, newest + 1)]
    check.equal(history.oldestBlock, found[0].number, "the oldest block")
    check.equal(
        list(history.baseFeePerGas[:-1]), [block.baseFeePerGas for block in found], "base fees"
    )
    for block, following in zip(found, history.baseFeePerGas[1:]):
        check.equal(following, next_base_fee(block), f"the base fee after block {block.number}")
    for block, ratio, rewards in zip(found, history.gasUsedRatio, history.reward):
        wanted = block.gasUsed / block.gasLimit
        check.true(abs(ratio - wanted) < 1e-5, f"the ratio {ratio} is not {wanted}")
        tips = [
            w3.eth.get_transaction_receipt(hash).effectiveGasPrice - block.baseFeePerGas
            for hash in block.transactions
        ]
        check.equal(list(rewards), (tips or [0]) * 3, f"the tips of block {block.number}")
    short = w3.eth.fee_history(1, newest)
    check.equal(len(short.baseFeePerGas), 2, "the base fees of one block")
    check.true("reward" not in short or not short.reward, "there are tips without percentiles")
    check.equal(
        len(w3.eth.fee_history(5_000, newest).gasUsedRatio), min(newest + 1, 1_024), "the longest"
    )
    check.raises(
        Web3RPCError, lambda: w3.eth.fee_history(1, newest, [50, 10]), "percentiles backwards"
    )
    check.raises(Web3RPCError, lambda: w3.eth.fee_history(1, newest + 9), "a history to come")
    check.true(w3.eth.gas_price >= next_base_fee(found[-1]), "the gas price is too low")
    check.true(w3.eth.max_priority_fee > 0, "no tip is suggested")


def next_base_fee(block: object) -> int:
    """EIP-1559's base fee of the block that follows."""
    target = block.gasLimit // 2
    base = block.baseFeePerGas
    if block.gasUsed > target:
        return base + max(base * (block.gasUsed - target) // target // 8, 1)
    return base - base * (target - block.gasUsed) // target // 8


def state_of_then(check: Check, peer: Peer) -> None:
    """balances, counts and calls are answered at any block, by its number and by its hash"""
    w3 = peer.w3
    before = w3.eth.get_block("latest")
    receipt = peer.invoke(peer.alice, peer.dai.functions.transfer(peer.dave.address, 77))
    after = w3.eth.get_block(receipt.blockNumber)
    balances = []
    for block in (before, after):
        answers = []
        for place in (block.number, block.hash, block.hash.to_0x_hex()):
            answers.append((
                w3.eth.get_balance(peer.alice.address, place),
                w3.eth.get_transaction_count(peer.alice.address, place),
                w3.eth.get_code(contracts.DAI, place),
                peer.dai.functions.balanceOf(peer.dave.address).call(block_identifier=place),
            ))
        check.equal(answers[1:], answers[:1] * 2, "the answers by hash")
        balances.append(answers[0])
    cost = receipt.gasUsed * receipt.effectiveGasPrice
    check.equal(balances[0][0] - balances[1][0], cost, "the ether paid")
    check.equal(balances[1][1] - balances[0][1], 1, "the transactions counted")
    check.equal(balances[1][3] - balances[0][3], 77, "the tokens moved")
    for place in (b"\x11" * 32, after.number + 50):
        check.raises(
            Web3RPCError,
            lambda: w3.eth.get_balance(peer.alice.address, place),
            f"the balance at {place!r}",
        )


def token_contracts(check: Check, peer: Peer) -> None:
    """tokens and wrapped ether answer by their ABI, and their events decode"""
    wanted = [
        (contracts.ZRX, "ZRX", 18), (contracts.DAI, "DAI", 18), (contracts.USDC, "USDC", 6),
        (contracts.WETH, "WETH", 18),
    ]
    for address, symbol, decimals in wanted:
        token = peer.token(address)
        check.equal(token.functions.symbol().call(), symbol, "the symbol")
        check.equal(token.functions.decimals().call(), decimals, f"the decimals of {symbol}")
        check.true(len(token.functions.name().call()) > 3, f"{symbol} has no name")
        held = token.functions.balanceOf(peer.alice.address).call()
        check.true(held <= token.functions.totalSupply().call(), f"alice owns too much {symbol}")
    alice, dave = peer.alice, peer.dave
    approve = peer.dai.functions.approve(dave.address, 500)
    events = peer.events(peer.dai.events.Approval, peer.invoke(alice, approve))
    check.equal(
        [dict(event) for event in events],
        [{"owner": alice.address, "spender": dave.address, "value": 500}],
        "the approval",
    )
    take = peer.dai.functions.transferFrom(alice.address, peer.bob.address, 499)
    check.equal(take.call({"from": dave.address}), True, "the answer of transferFrom")
    receipt = peer.invoke(dave, take)
    events = peer.events(peer.dai.events.Transfer, receipt)
    check.equal(
        [(event.sender, event.receiver, event.value) for event in events],
        [(alice.address, peer.bob.address, 499)],
        "the transfer",
    )
    left = peer.dai.functions.allowance(alice.address, dave.address).call()
    check.equal(left, 1, "the allowance that is left")
    receipt = peer.invoke(alice, peer.weth.functions.deposit(), value=10**15)
    events = peer.events(peer.weth.events.Deposit, receipt)
    check.equal([event.value for event in events], [10**15], "the deposit")
    receipt = peer.invoke(alice, peer.weth.functions.withdraw(10**15 - 1))
    events = peer.events(peer.weth.events.Withdrawal, receipt)
    check.equal([event.value for event in events], [10**15 - 1], "the withdrawal")
    # ZRX answers false where others revert.
    excess = peer.zrx.functions.transfer(dave.address, 2**255)
    check.equal(excess.call({"from": alice.address}), False, "ZRX's answer")


def exchange_contract(check: Check, peer: Peer) -> None:
    """the exchange hashes orders and checks signatures as eth-account does"""
    functions = peer.exchange.functions
    check.equal(functions.VERSION().call(), "1.0.0", "the version")
    check.equal(functions.ZRX_TOKEN_CONTRACT().call(), contracts.ZRX, "the fee token")
    check.equal(functions.TOKEN_TRANSFER_PROXY_CONTRACT().call(), contracts.PROXY, "the proxy")
    check.equal(functions.EXTERNAL_QUERY_GAS_LIMIT().call(), 4_999, "the gas of queries")
    check.equal(functions.getPartialAmount(10, 3, 100).call(), 333, "a partial amount")
    check.equal(functions.isRoundingError(3, 1_000, 10).call(), True, "a rounding error")
    check.equal(functions.isRoundingError(3, 9, 9).call(), False, "no rounding error")
    for salt in (0, 1, 2**256 - 1):
        order = contracts.Order(
            maker=peer.bob.address, maker_token=contracts.ZRX, taker_token=contracts.WETH,
            maker_amount=2**256 - 1 - salt // 2, taker_amount=1, expiry=2**255, salt=salt,
            taker=peer.carol.address, fee_recipient=peer.dave.address, taker_fee=salt,
        )
        answered = functions.getOrderHash(order.addresses, order.values).call()
        check.equal(answered, order.hash, f"the hash of the order with salt {salt}")
        v, r, s = order.signature(peer.bob)
        bare = peer.bob.unsafe_sign_hash(order.hash)
        text = peer.bob.sign_message(encode_defunct(order.hash.hex().encode()))
        cases = [
            (True, peer.bob.address, v, r, s),
            (False, peer.carol.address, v, r, s),
            (False, peer.bob.address, 55 - v, r, s),
            (False, peer.bob.address, v - 27, r, s),
            (False, peer.bob.address, v, r, s[:-1] + bytes([s[-1] ^ 1])),
            (False, peer.bob.address, v, bytes(32), s),
            (False, peer.bob.address, bare.v, *words(bare)),
            (False, peer.bob.address, text.v, *words(text)),
        ]
        for wanted, signer, v, r, s in cases:
            answered = functions.isValidSignature(signer, order.hash, v, r, s).call()
            check.equal(answered, wanted, f"the verdict on {signer} with v {v}")


def words(signature: object) -> tuple[bytes, bytes]:
    """r and s as words."""
    return signature.r.to_bytes(32, "big"), signature.s.to_bytes(32, "big")


def access_lists(check: Check, peer: Peer) -> None:
    """an access list that the node made makes the same call cheaper or no dearer, and works"""
    function = peer.dai.functions.transfer(peer.bob.address, 5)
    call = {
        "from": peer.alice.address, "to": contracts.DAI,
        "data": function._encode_transaction_data(),
    }
    answer = peer.w3.eth.create_access_list(call)
    listed = [dict(item) for item in answer.accessList]
    check.equal([item["address"] for item in listed], [contracts.DAI], "the contracts listed")
    check.equal(len(listed[0]["storageKeys"]), 2, "the slots of two balances")
    receipt = peer.invoke(peer.alice, function, accessList=listed, kind=1)
    check.equal(receipt.status, 1, "the status with the list")
    check.equal(receipt.gasUsed, answer.gasUsed, "the gas that was foretold")
    check.equal(
        peer.w3.eth.estimate_gas(call | {"accessList": listed}) >= receipt.gasUsed, True,
        "an estimate that is enough",
    )


def storage(check: Check, peer: Peer) -> None:
    """a balance is the word at its slot, and a proof of it has the state root of the block"""
    w3 = peer.w3
    balance = peer.dai.functions.balanceOf(peer.alice.address)
    call = {"to": contracts.DAI, "data": balance._encode_transaction_data()}
    listed = w3.eth.create_access_list(call).accessList
    slot = int.from_bytes(HexBytes(listed[0]["storageKeys"][0]), "big")
    word = int.from_bytes(w3.eth.get_storage_at(contracts.DAI, slot), "big")
    check.equal(word, balance.call(), "the balance at its slot")
    block = w3.eth.block_number
    proof = w3.eth.get_proof(contracts.DAI, [slot], block)
    check.equal(int.from_bytes(HexBytes(proof.storageProof[0].value), "big"), word, "the value")
    root = keccak(HexBytes(proof.accountProof[0]))
    check.equal(root, bytes(w3.eth.get_block(block).stateRoot), "the root of the proof")
    check.equal(
        keccak(HexBytes(proof.storageProof[0].proof[0])), bytes(proof.storageHash),
        "the root of the storage",
    )


CHECKS = [
    identity, blocks, fees, state_of_then, token_contracts, exchange_contract, access_lists,
    storage,
]
