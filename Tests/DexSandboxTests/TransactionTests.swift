import DexSandbox
import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@Suite("Transactions")
struct TransactionTests {
    @Test("a transfer pays base fee and tip, the coinbase gets the tip, the base fee is burnt")
    func transfer() async throws {
        let test = try TestChain()
        let before = try await test.etherBalance(test.alice.address)
        let coinbase = try await test.etherBalance(TestChain.coinbase)
        let receipt = try await test.send(
            from: test.alice,
            to: test.bob.address,
            value: 3 * ether,
            gas: 21_000
        )
        let block = try #require(try await test.client.read(.block(.latest)))
        let baseFee = try #require(block.baseFeePerGas).rawValue
        #expect(receipt.succeeded)
        #expect(receipt.gasUsed == 21_000)
        #expect(receipt.effectiveGasPrice == Wei(baseFee + gwei))
        let after = try await test.etherBalance(test.alice.address)
        #expect(before - after == 3 * ether + (baseFee + gwei) * 21_000)
        #expect(try await test.etherBalance(TestChain.coinbase) - coinbase == gwei * 21_000)
        #expect(try await test.etherBalance(test.bob.address) == 103 * ether)
    }

    @Test("the effective price never exceeds the cap")
    func cappedTip() async throws {
        let test = try TestChain()
        let baseFee = try #require(
            try await test.client.read(.feeHistory(blocks: 1, percentiles: []))
                .baseFeePerGas.last
        ).rawValue
        let signed = try await test.transaction(
            from: test.alice,
            to: test.bob.address,
            gas: 21_000,
            maxFee: baseFee + 5,
            tip: 7
        )
        let hash = try await test.client.send(raw: signed.raw)
        let receipt = try #require(try await test.client.read(.receipt(hash)))
        #expect(receipt.effectiveGasPrice == Wei(baseFee + 5))
    }

    @Test(
        "legacy, type 1 and type 2 transactions are mined",
        arguments: [
            Transaction.Fee.legacy(gasPrice: Wei(20 * gwei)),
            .accessList(gasPrice: Wei(20 * gwei)),
            .dynamic(maxFeePerGas: Wei(20 * gwei), maxPriorityFeePerGas: Wei(gwei)),
        ]
    )
    func types(_ fee: Transaction.Fee) async throws {
        let test = try TestChain()
        let signed = try await test.transaction(from: test.alice, to: test.bob.address, fee: fee)
        let hash = try await test.client.send(raw: signed.raw)
        #expect(hash == signed.hash)
        #expect(try await test.client.read(.receipt(hash))?.succeeded == true)
    }

    @Test("an access list costs 2,400 for an address and 1,900 for a slot")
    func accessListCost() async throws {
        let test = try TestChain()
        let receipt = try await test.send(
            from: test.alice,
            to: test.bob.address,
            accessList: [
                AccessListEntry(
                    address: TestChain.dai,
                    storageKeys: [UInt256(1).word, UInt256(2).word]
                )
            ]
        )
        #expect(receipt.gasUsed == 21_000 + 2_400 + 2 * 1_900)
    }

    @Test("call data to an account without code costs the floor of EIP-7623")
    func floor() async throws {
        let test = try TestChain()
        let data = [UInt8](repeating: 1, count: 100) + [UInt8](repeating: 0, count: 10)
        let receipt = try await test.send(from: test.alice, to: test.bob.address, data: data)
        #expect(receipt.gasUsed == 21_000 + 10 * (4 * 100 + 10))
    }

    /// What a node says to a transaction that is wrong in one way.
    struct Refusal: CustomTestStringConvertible, Sendable {
        let words: String
        var value: UInt256 = 0
        var gas: UInt64 = 100_000
        var nonce: UInt64 = 1
        var maxFee: UInt256 = 20 * gwei
        var tip: UInt256 = gwei
        var chainID: UInt64? = 1337
        var hasRecipient = true
        var dataBytes = 0
        var fee: Transaction.Fee?

        var testDescription: String { words }
    }

    static let refusals = [
        Refusal(words: "nonce too low: next nonce 1, tx nonce 0", nonce: 0),
        Refusal(
            words: "insufficient funds for gas * price + value: balance ",
            value: 1_000 * ether
        ),
        Refusal(words: "insufficient funds for gas * price + value: balance ", value: .max),
        Refusal(
            words: "intrinsic gas too low: gas 20999, minimum needed 21000",
            gas: 20_999
        ),
        Refusal(
            words: "insufficient gas for floor data gas cost: gas 60000, minimum needed 61000",
            gas: 60_000,
            dataBytes: 1_000
        ),
        Refusal(words: "exceeds block gas limit", gas: 36_000_001),
        Refusal(
            words: "max priority fee per gas higher than max fee per gas",
            maxFee: gwei,
            tip: gwei + 1
        ),
        Refusal(words: "max fee per gas higher than 2^64-1", maxFee: 1 << 64),
        Refusal(
            words: "invalid sender: invalid chain id for signer: have 1 want 1337",
            chainID: 1
        ),
        Refusal(
            words: "only replay-protected (EIP-155) transactions allowed over RPC",
            chainID: nil,
            fee: .legacy(gasPrice: Wei(20 * gwei))
        ),
        Refusal(words: "rlp: the nonce is 2^64 - 1", nonce: .max),
        Refusal(
            words: "max initcode size exceeded: code size 49153 limit 49152",
            gas: 30_000_000,
            hasRecipient: false,
            dataBytes: 49_153
        ),
        Refusal(
            words: "oversized data: transaction size ",
            gas: 30_000_000,
            dataBytes: 140_000
        ),
    ]

    @Test("a wrong transaction is refused in a node's words", arguments: refusals)
    func refused(_ refusal: Refusal) async throws {
        let test = try TestChain()
        try await test.send(from: test.alice, to: test.bob.address)
        let signed = try await test.transaction(
            from: test.alice,
            to: refusal.hasRecipient ? test.bob.address : nil,
            data: [UInt8](repeating: 7, count: refusal.dataBytes),
            value: refusal.value,
            gas: refusal.gas,
            nonce: refusal.nonce,
            maxFee: refusal.maxFee,
            tip: refusal.tip,
            chainID: refusal.chainID,
            fee: refusal.fee
        )
        let error = await chainError { _ = try await test.client.send(raw: signed.raw) }
        let message = try #require(error).description
        #expect(
            message.hasPrefix("The node answered with error -32000: \"" + refusal.words),
            "\(message)"
        )
        #expect(try await test.client.read(.blockNumber) == 1)
    }

    @Test("insufficient funds tell balance, cost and what is missing")
    func insufficientFunds() async throws {
        let test = try TestChain()
        let signed = try await test.transaction(
            from: test.alice,
            to: test.bob.address,
            value: 100 * ether,
            gas: 21_000,
            maxFee: 20 * gwei
        )
        let error = await chainError { _ = try await test.client.send(raw: signed.raw) }
        let overshot = 20 * gwei * 21_000
        #expect(
            error
                == .notTaken(
                    code: -32000,
                    message: "insufficient funds for gas * price + value: balance \(100 * ether), "
                        + "tx cost \(100 * ether + overshot), overshot \(overshot)"
                )
        )
    }

    @Test("garbage and every truncation of a transaction are refused, none traps")
    func garbage() async throws {
        let test = try TestChain()
        let raw = try await test.transaction(from: test.alice, to: test.bob.address).raw
        for length in 0..<raw.count {
            let error = await chainError {
                _ = try await test.client.send(raw: Array(raw[..<length]))
            }
            #expect(error != nil)
        }
        #expect(try await test.client.read(.blockNumber) == 0)
    }

    @Test(
        "types that no block here has are refused by name, sent, called or estimated",
        arguments: [
            (3, "blob transactions (type 3)"), (5, "transactions of type 5"),
        ] as [(UInt8, String)]
    )
    func types(type: UInt8, name: String) async throws {
        let test = try TestChain()
        let words =
            "transaction type not supported: \(name) are not supported by this sandbox, which takes "
            + "types 0, 1, 2 and 4"
        let raw = try await test.transaction(from: test.alice, to: test.bob.address).raw
        let error = await chainError {
            _ = try await test.client.send(raw: [type] + raw.dropFirst())
        }
        #expect(error == .notTaken(code: -32000, message: words))
        #expect(try await test.client.read(.blockNumber) == 0)

        var calls: [JSONObject] = []
        var call = JSONObject()
        call["to"] = .string(test.bob.address.checksummed)
        let members: [UInt8: [(String, JSONValue)]] = [
            3: [("blobVersionedHashes", [.string(Bytes32.zero.hex)]), ("maxFeePerBlobGas", "0x1")]
        ]
        for (key, value) in (members[type] ?? []) + [("type", .string("0x\(type)"))] {
            calls.append(call)
            calls[calls.count - 1][key] = value
        }
        for call in calls {
            for method in ["eth_call", "eth_estimateGas", "eth_createAccessList"] {
                let answer = try await test.rpc(method, [.object(call), "latest"])
                #expect(answer["message"]?.stringValue == words, "\(method): \(answer.text)")
            }
        }
    }
}
