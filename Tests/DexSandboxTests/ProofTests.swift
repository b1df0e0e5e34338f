import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@testable import DexSandbox

/// The roots of the chain's headers, and what eth_getProof proves under them.
@Suite("Roots and proofs")
struct ProofTests {
    private func header(_ test: TestChain, _ number: UInt64) async throws -> BlockHeader {
        let tag = JSONValue.string(UInt256(number).quantity)
        return try BlockHeader(json: await test.rpc("eth_getBlockByNumber", [tag, false]))
    }

    private func proven(
        _ test: TestChain,
        _ address: Address,
        _ slots: [UInt256],
        at number: UInt64
    ) async throws -> ProvenAccount {
        let json = try await test.rpc(
            "eth_getProof",
            [
                .string(address.lowercaseHex), .array(slots.map { .string($0.word.hex) }),
                .string(UInt256(number).quantity),
            ]
        )
        let words = slots.map(\.word)
        let proof = try AccountProof(json: json, address: address, slots: words)
        return try proof.verified(in: try await header(test, number).stateRoot)
    }

    @Test("accounts and words are proven under the header of each kept block")
    func proofs() async throws {
        let test = try TestChain()
        guard case .word(let slot) = TokenLayout.balance(test.bob.address) else { return }
        for amount in 1...3 {
            try await test.send(
                from: test.alice,
                to: TestChain.dai,
                data: ERC20.transfer(to: test.bob.address, amount: UInt256(UInt64(amount)))
            )
        }
        _ = try await test.chain.reorganize(blocks: 1, transactions: .gone)
        for (number, sent) in [(0, 0), (1, 1), (2, 3), (4, 3)] as [(UInt64, UInt64)] {
            let dai = try await proven(test, TestChain.dai, [slot, 99], at: number)
            #expect(dai.words == [slot.word: 1_000 * ether + UInt256(sent), UInt256(99).word: 0])
            #expect(dai.account.nonce == 1)
            #expect(
                dai.account.codeHash
                    == Keccak256.hash(try await test.client.read(.code(TestChain.dai, .latest)))
            )
            let alice = try await proven(test, test.alice.address, [], at: number)
            #expect(alice.account.nonce == min(number, 2))
            #expect(
                alice.account.balance
                    == (try await test.client.read(.balance(test.alice.address, .number(number))))
            )
            let nobody = try await proven(test, TestChain.address(0x999), [5], at: number)
            #expect(nobody.account == .absent)
            #expect(nobody.words == [UInt256(5).word: 0])
        }
    }

    @Test("the roots of transactions and receipts are those of the tries")
    func roots() async throws {
        let test = try TestChain(mining: .manual)
        var raws: [[UInt8]] = []
        for fee in [
            Transaction.Fee.legacy(gasPrice: Wei(20 * gwei)),
            .accessList(gasPrice: Wei(20 * gwei)),
            .dynamic(maxFeePerGas: Wei(20 * gwei), maxPriorityFeePerGas: Wei(20 * gwei)),
        ] {
            let signed = try await test.transaction(
                from: test.alice,
                to: TestChain.dai,
                data: ERC20.transfer(to: test.bob.address, amount: 1),
                fee: fee
            )
            raws.append(signed.raw)
            _ = try await test.client.send(raw: signed.raw)
        }
        try await test.chain.mine()
        let header = try await header(test, 1)
        #expect(header.transactionsRoot == MerkleTrie(list: raws).root)
        let receipts = try #require(
            try await test.rpc("eth_getBlockReceipts", ["0x1"]).arrayValue
        )
        func bytes(_ json: JSONValue?) -> [UInt8] {
            json?.stringValue.flatMap { Hex.bytes($0) } ?? []
        }
        func number(_ json: JSONValue?) -> UInt256 {
            json?.stringValue.flatMap { UInt256(quantity: $0) } ?? .max
        }
        let encoded = receipts.map { receipt in
            let logs = (receipt["logs"]?.arrayValue ?? []).map { log in
                RLP.list([
                    .bytes(bytes(log["address"])),
                    .list((log["topics"]?.arrayValue ?? []).map { .bytes(bytes($0)) }),
                    .bytes(bytes(log["data"])),
                ])
            }
            let rlp = RLP.list([
                .integer(number(receipt["status"])),
                .integer(number(receipt["cumulativeGasUsed"])),
                .bytes(bytes(receipt["logsBloom"])), .list(logs),
            ])
            let type = UInt8(truncatingIfNeeded: number(receipt["type"]).w0)
            return (type == 0 ? [] : [type]) + rlp.encoded
        }
        #expect(encoded.count == 3)
        #expect(header.receiptsRoot == MerkleTrie(list: encoded).root)
    }

    @Test("too many words, and a state that is not kept, are refused")
    func refusals() async throws {
        let test = try TestChain()
        let dai = JSONValue.string(TestChain.dai.lowercaseHex)
        let many = JSONValue.array(Array(repeating: "0x1", count: 1_025))
        let error = try await test.rpc("eth_getProof", [dai, many, "latest"])
        #expect(error["code"] == -32602)
        for _ in 0..<258 { try await test.chain.mine() }
        let old = try await test.rpc("eth_getProof", [dai, [], "0x1"])
        #expect(old["message"]?.stringValue?.hasPrefix("missing trie node") == true)
    }
}
