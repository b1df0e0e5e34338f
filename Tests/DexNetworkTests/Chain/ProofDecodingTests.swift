import Ethereum
import StrictJSON
import Testing

@testable import DexNetwork

@Suite("Headers and proofs that nodes give, read strictly")
struct ProofDecodingTests: DecodingSuite {
    private static let header = BlockHeader(
        parentHash: BlockHash(Keccak256.hash([1])),
        beneficiary: .zero,
        stateRoot: MerkleTrie.emptyRoot,
        transactionsRoot: MerkleTrie.emptyRoot,
        receiptsRoot: MerkleTrie.emptyRoot,
        logsBloom: .empty,
        number: 5,
        gasLimit: 30_000_000,
        gasUsed: 21_000,
        timestamp: 1_700_000_000,
        extraData: [1, 2],
        london: nil
    )

    private static func json(_ change: (inout JSONObject) -> Void = { _ in }) -> String {
        var object = JSONObject()
        object["parentHash"] = .string(header.parentHash.hex)
        object["sha3Uncles"] = .string(header.ommersHash.hex)
        object["miner"] = .string(header.beneficiary.lowercaseHex)
        object["stateRoot"] = .string(header.stateRoot.hex)
        object["transactionsRoot"] = .string(header.transactionsRoot.hex)
        object["receiptsRoot"] = .string(header.receiptsRoot.hex)
        object["logsBloom"] = .string(Hex.encode(header.logsBloom.bytes))
        object["difficulty"] = "0x0"
        object["number"] = "0x5"
        object["gasLimit"] = "0x1c9c380"
        object["gasUsed"] = "0x5208"
        object["timestamp"] = "0x6553f100"
        object["extraData"] = "0x0102"
        object["mixHash"] = .string(header.mixHash.hex)
        object["nonce"] = "0x0000000000000000"
        object["hash"] = .string(header.hash.hex)
        object["transactions"] = []
        change(&object)
        return JSONValue.object(object).text
    }

    @Test("a header is taken if its fields hash to its hash, and if it is the block asked for")
    func header() throws {
        for tag in [BlockTag.latest, .number(5), .hash(Self.header.hash)] {
            #expect(try answer(.header(tag), Self.json()) == .header(Self.header))
        }
        #expect(try answer(.header(.number(5)), "null") == .header(nil))
        let others: [(ChainRead, String, String)] = [
            (.header(.number(6)), Self.json(), "block 6 was asked for"),
            (.header(.hash(BlockHash(.zero))), Self.json(), "was asked for"),
            (
                .header(.latest), Self.json { $0["stateRoot"] = .string(Bytes32.zero.hex) },
                "hash to"
            ),
            (.header(.latest), Self.json { $0["number"] = "0x6" }, "hash to"),
            (.header(.latest), Self.json { $0["miner"] = .null }, "it has no miner"),
            (.header(.latest), "[]", "not an object"),
            (.header(.latest), "\"0x\"", "not an object"),
        ]
        for (read, text, words) in others {
            let error = #expect(throws: ChainError.self) { try answer(read, text) }
            guard case .nonsense(let reason)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(reason.contains(words), "\(reason)")
            #expect(!reason.hasSuffix("."), "a clause: \(reason)")
        }
    }

    @Test("a proof has as many words as were asked for, and no node that is too large")
    func proof() throws {
        let read = ChainRead.proof(.zero, [.zero], .latest)
        let right = #"{"accountProof":["0xc22080"],"storageProof":[{"proof":["0x80"]}]}"#
        guard case .proof(let proof) = try answer(read, right) else {
            Issue.record("no proof was read")
            return
        }
        #expect(proof.address == .zero)
        #expect(proof.account.nodes == [[0xC2, 0x20, 0x80]])
        #expect(proof.storage.map(\.slot) == [.zero])
        let long = String(repeating: "ab", count: 601)
        let many = Array(repeating: "\"0x80\"", count: 66).joined(separator: ",")
        let wrong = [
            "null", "[]", "{}", #"{"accountProof":[],"storageProof":[]}"#,
            #"{"accountProof":[],"storageProof":[{"proof":[]},{"proof":[]}]}"#,
            #"{"accountProof":"0x","storageProof":[{"proof":[]}]}"#,
            #"{"accountProof":["80"],"storageProof":[{"proof":[]}]}"#,
            #"{"accountProof":[7],"storageProof":[{"proof":[]}]}"#,
            #"{"accountProof":["0x\#(long)"],"storageProof":[{"proof":[]}]}"#,
            #"{"accountProof":[\#(many)],"storageProof":[{"proof":[]}]}"#,
            #"{"accountProof":[],"storageProof":[{"proof":[\#(many)]}]}"#,
        ]
        for text in wrong {
            #expect(throws: ChainError.self, "\(text.prefix(80))") { try answer(read, text) }
        }
    }
}
