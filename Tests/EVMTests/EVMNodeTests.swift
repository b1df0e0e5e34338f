import DexTestSupport
import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@Suite("The node on a real EVM")
struct EVMNodeTests {
    private static let rich = "0x00000000000000000000000000000000000000aa"

    private static let genesis: JSONValue = [
        "chainId": 1337,
        "timestamp": 1_750_000_000,
        "exchange": "0x12459c951127e0c374ff9105dda097662a027093",
        "transferProxy": "0x8da0d80f5007ef1e431dd2127178d224e32c2ef4",
        "feeToken": "0xe41d2489571d322189246dafa5ebde1f4699f498",
        "accounts": [["address": .string(rich), "ether": "1000000000000000000"]],
        "tokens": [
            [
                "address": "0xe41d2489571d322189246dafa5ebde1f4699f498", "symbol": "ZRX",
                "name": "0x Protocol Token", "decimals": 18, "kind": "zrx",
            ]
        ],
    ]

    @Test("it answers calls and batches, and ends when it is told to")
    func answers() async throws {
        let node = try await EVMNode.start(Self.genesis)
        #expect(try node.call("eth_chainId") == "0x539")
        let answers = try node.calls([
            ("eth_blockNumber", []), ("eth_getBalance", [.string(Self.rich), "latest"]),
        ])
        #expect(answers == ["0x0", "0xde0b6b3a7640000"])
        #expect(throws: EVMNode.Failure.self) { try node.call("eth_nothing") }
        node.stop()
        #expect(throws: (any Error).self) { try node.call("eth_chainId") }
    }

    @Test("it answers about a block by its hash, and refuses one that it lacks")
    func byHash() async throws {
        let node = try await EVMNode.start(Self.genesis)
        defer { node.stop() }
        try node.call("evm_mine")
        let block = try node.call("eth_getBlockByNumber", "0x0", false)
        let hash = try #require(block["hash"])
        let place: JSONValue = ["blockHash": hash, "requireCanonical": true]
        #expect(try node.call("eth_getBlockByHash", hash, false) == block)
        #expect(
            try node.call("eth_getBalance", .string(Self.rich), place) == "0xde0b6b3a7640000"
        )
        let supply: JSONValue = [
            "to": "0xe41d2489571d322189246dafa5ebde1f4699f498", "data": "0x18160ddd",
        ]
        #expect(try node.call("eth_call", supply, place).stringValue?.count == 66)
        #expect(try node.call("eth_getLogs", ["blockHash": hash]) == [])
        let unknown = JSONValue.string("0x" + String(repeating: "12", count: 32))
        for (method, parameters) in [
            ("eth_call", [supply, ["blockHash": unknown, "requireCanonical": true]]),
            ("eth_getLogs", [["blockHash": unknown]]),
        ] as [(String, [JSONValue])] {
            #expect(throws: EVMNode.Failure.self) { try node.calls([(method, parameters)]) }
        }
    }

    @Test("a transaction that offers too little gas, or has a high s, is refused as geth does")
    func refusals() async throws {
        let signer = try PrivateKeySigner(key: UInt256(1).word)
        var genesis = try #require(Self.genesis.objectValue)
        genesis["accounts"] = [
            ["address": .string(signer.address.lowercaseHex), "ether": "1000000000000000000"]
        ]
        let node = try await EVMNode.start(.object(genesis))
        defer { node.stop() }
        func refusal(gas: UInt64, data: [UInt8], highS: Bool = false) throws -> String {
            let transaction = Transaction(
                chainID: 1337,
                nonce: 0,
                fee: .legacy(gasPrice: Wei(2_000_000_000)),
                gasLimit: gas,
                to: signer.address,
                data: data
            )
            var signature = try signer.signature(over: transaction.signingHash)
            if highS {
                let high = Planner.groupOrder - UInt256(signature.s)
                signature = try #require(
                    Signature(r: signature.r, s: high.word, yParity: 1 - signature.yParity)
                )
            }
            let signed = SignedTransaction(
                transaction: transaction,
                signature: signature,
                sender: signer.address
            )
            do {
                try node.call("eth_sendRawTransaction", .string(Hex.encode(signed.raw)))
                return ""
            } catch let failure as EVMNode.Failure {
                return String(failure.description.dropFirst("eth_sendRawTransaction: ".count))
            }
        }
        // 16 for each byte, and at least 40 (EIP-7623).
        let data = [UInt8](repeating: 1, count: 100)
        #expect(
            try refusal(gas: 22_599, data: data)
                == "intrinsic gas too low: gas 22599, minimum needed 22600"
        )
        #expect(
            try refusal(gas: 24_999, data: data)
                == "insufficient gas for floor data gas cost: gas 24999, minimum needed 25000"
        )
        let invalid = "invalid sender: invalid transaction v, r, s values"
        #expect(try refusal(gas: 25_000, data: data, highS: true) == invalid)
        // Who sends it is asked before what it pays for.
        #expect(try refusal(gas: 0, data: data, highS: true) == invalid)
        #expect(try refusal(gas: 25_000, data: data) == "")
    }

    @Test("a block's gas limit stays what it was at first")
    func gasLimit() async throws {
        let node = try await EVMNode.start(Self.genesis)
        defer { node.stop() }
        let first = try node.call("eth_getBlockByNumber", "latest", false)["gasLimit"]
        try node.call("evm_mine", ["blocks": 5])
        let last = try node.call("eth_getBlockByNumber", "latest", false)
        #expect(last["number"] == "0x5")
        #expect(last["gasLimit"] == first)
    }

    @Test("time, base fee and blocks are set by hand, and a snapshot brings all back")
    func controls() async throws {
        let node = try await EVMNode.start(Self.genesis)
        let snapshot = try node.call("evm_snapshot")
        try node.call("evm_setNextBlockTimestamp", "0xffffffff")
        try node.call("hardhat_setNextBlockBaseFeePerGas", "0x77")
        try node.call("evm_mine")
        let block = try node.call("eth_getBlockByNumber", "latest", false)
        #expect(block["timestamp"] == "0xffffffff")
        #expect(block["baseFeePerGas"] == "0x77")
        #expect(try node.call("evm_revert", snapshot) == true)
        #expect(try node.call("eth_blockNumber") == "0x0")
        node.stop()
    }
}
