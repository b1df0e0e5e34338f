import DexTestSupport
import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing

/// eth-account on what we sign, and we on what eth-account signs.
@Suite("Signatures of eth-account and ours")
struct SignatureTests {
    @Test("eth-account recovers what we sign, and makes the same bytes from the same key")
    func ours() async throws {
        var samples = SignatureSamples(seed: 0x9E9)
        var transactions: [JSONValue] = []
        var messages: [JSONValue] = []
        for index in 0..<150 {
            let signer = try samples.signer()
            for kind in 0...2 {
                transactions.append(try await samples.transaction(kind, by: signer, index))
            }
            messages.append(try await samples.message(by: signer))
        }
        let file = FileManager.default.temporaryDirectory
            .appending(path: "dex-signatures-\(UUID().uuidString).json")
        let given: JSONValue = [
            "transactions": .array(transactions), "messages": .array(messages),
        ]
        try Data(given.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let report = try await PeerReport("signatures.py", "judge", file.path)
        report.expectAgreement(checks: 2, comparisons: 150 * 14)
    }

    @Test("we read and recover what eth-account signs, and make the same bytes from the same key")
    func theirs() async throws {
        let given = try await Self.made(seed: "1859", count: "150")
        let transactions = try #require(given["transactions"]?.arrayValue)
        #expect(transactions.count == 450)
        for item in transactions {
            let wanted = try PeerTransaction(item)
            let signed = try SignedTransaction(raw: wanted.raw, recoverer: Secp256k1())
            #expect(signed.sender.checksummed == wanted.sender)
            #expect(signed.hash.hex == wanted.hash)
            #expect(signed.transaction == wanted.transaction)
            #expect(signed.raw == wanted.raw)
            let digest = wanted.transaction.signingHash
            #expect(try await wanted.signer.sign(digest: digest) == signed.signature)
        }
        let messages = try #require(given["messages"]?.arrayValue)
        #expect(messages.count == 150)
        for item in messages {
            let bytes = try Hex.decode(item.peerText("message"))
            let signer = try PrivateKeySigner(key: Bytes32(hex: item.peerText("key")))
            let signature = try await signer.sign(message: bytes)
            #expect(SignatureSamples.text(signature) == (try item.peerText("signature")))
            let digest = EthereumMessage.hash(bytes)
            let recovered = try Secp256k1().recover(digest: digest, signature: signature)
            #expect(recovered.checksummed == (try item.peerText("sender")))
        }
    }

    @Test("a flipped bit is never the sender's transaction; eth-account finds the same stranger")
    func tampered() async throws {
        let given = try await Self.made(seed: "77", count: "150")
        let items = try #require(given["tampered"]?.arrayValue)
        #expect(items.count == 1_800)
        var strangers = 0
        for item in items {
            let raw = try Hex.decode(item.peerText("raw"))
            guard let signed = try? SignedTransaction(raw: raw, recoverer: Secp256k1()) else {
                continue
            }
            strangers += 1
            #expect(signed.sender.checksummed != (try item.peerText("sender")))
            // What eth-account cannot read, we must not read either.
            #expect(signed.sender.checksummed == (try item.peerText("recovered")))
            #expect(signed.raw == raw)
        }
        // Most bits are in amounts, data and the signature's words.
        #expect(strangers > 1_000)
    }

    private static func made(seed: String, count: String) async throws -> JSONValue {
        try JSONParser.parse(await PeerReport.output(of: "signatures.py", ["make", seed, count]))
    }
}
