import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

/// A file is read strictly, and none of it is believed.
@Suite("The file of a signed transaction")
struct SignedFileTests {
    private static func key() throws -> PrivateKeySigner {
        try PrivateKeySigner(
            hex: "0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"
        )
    }

    private static func file(
        chainID: UInt64? = 1337,
        fee: Transaction.Fee = .dynamic(maxFeePerGas: Wei(9), maxPriorityFeePerGas: Wei(1)),
        authorizations: [Transaction.Authorization] = []
    ) async throws -> SignedFile {
        let transaction = Transaction(
            chainID: chainID,
            nonce: 4,
            fee: fee,
            gasLimit: 21_000,
            to: TestMarket.address("0x5AEDA56215b167893e80B4fE645BA6d5Bab767DE"),
            value: Wei(5),
            authorizations: authorizations
        )
        let key = try key()
        let signature = try await key.sign(digest: transaction.signingHash)
        return try SignedFile(
            SignedTransaction(transaction: transaction, signature: signature, sender: key.address),
            purpose: "send",
            network: Sample.network,
            madeAt: 7,
            validUntil: nil,
            plan: ["total": "5"]
        )
    }

    private func read(_ object: JSONValue) throws -> SignedTransaction {
        try SignedFile(Array(object.text.utf8)).verified(Secp256k1())
    }

    private func object(_ file: SignedFile) throws -> JSONObject {
        try #require(try JSONParser.parse(text: file.text).objectValue)
    }

    @Test("what is written is read back, whatever the type of the transaction")
    func roundTrip() async throws {
        for fee: Transaction.Fee in [
            .dynamic(maxFeePerGas: Wei(9), maxPriorityFeePerGas: Wei(1)),
            .legacy(gasPrice: Wei(9)), .accessList(gasPrice: Wei(9)),
        ] {
            let file = try await Self.file(fee: fee)
            let again = try SignedFile(Array(file.text.utf8))
            #expect(again.text == file.text)
            let signed = try again.verified(Secp256k1())
            #expect(signed.raw == file.raw && signed.sender == file.from)
        }
    }

    @Test("a transaction that names no chain is refused: every chain would take it")
    func everyChain() async throws {
        let file = try await Self.file(chainID: nil, fee: .legacy(gasPrice: Wei(9)))
        #expect(throws: SignedFileError.everyChain) { try file.verified(Secp256k1()) }
    }

    @Test(
        "a transaction that lets accounts run other code is refused, since the file says nothing of it"
    )
    func setCode() async throws {
        let authorization = Transaction.Authorization(
            chainID: 0,
            delegate: .zero,
            nonce: 0,
            yParity: 0,
            r: 1,
            s: 1
        )
        let file = try await Self.file(authorizations: [authorization])
        let refusal = SignedFileError.unreadable(
            "its transaction lets accounts run other code (type 4), which no command of dex does"
        )
        #expect(throws: refusal) { try file.verified(Secp256k1()) }
    }

    @Test("a file that says anything else than its bytes is refused, by the key that lies")
    func lies() async throws {
        let original = try object(try await Self.file())
        let lies: [(String, JSONValue)] = [
            ("chainId", 1), ("nonce", 5), ("gasLimit", 21_001), ("value", "6"),
            ("maxFeePerGas", "10"), ("maxPriorityFeePerGas", .null),
            ("maxPriorityFeePerGas", "2"),
            ("from", "0x5AEDA56215b167893e80B4fE645BA6d5Bab767DE"),
            ("to", "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23"),
            ("hash", .string("0x" + String(repeating: "1", count: 64))),
        ]
        for (key, value) in lies {
            var object = original
            object[key] = value
            do {
                _ = try read(.object(object))
                Issue.record("\(key) was believed")
            } catch let error as DexError {
                #expect(error.code == "bad-signed-file")
                #expect(error.message.hasPrefix("The file says \(key) "), "\(error)")
            }
        }
        // What is never used may say what it likes.
        var object = original
        object["network"] = "mainnet"
        object["purpose"] = "\u{1B}[31mgift"
        object["plan"] = ["total": "0"]
        object["madeAt"] = 0
        #expect(try read(.object(object)).transaction.nonce == 4)
        let file = try SignedFile(Array(JSONValue.object(object).utf8))
        #expect(!file.purpose.contains("\u{1B}"))
    }

    @Test("changed bytes are another sender's, or nobody's: never sent as they are")
    func changedBytes() async throws {
        let file = try await Self.file()
        let original = try object(file)
        for index in file.raw.indices {
            var raw = file.raw
            raw[index] ^= 1
            var object = original
            object["raw"] = .string(Hex.encode(raw))
            #expect(throws: DexError.self, "byte \(index)") { try read(.object(object)) }
        }
        for raw in ["0x", "0x02", "0xzz", "02", Hex.encode(file.raw + [0])] {
            var object = original
            object["raw"] = .string(raw)
            #expect(throws: DexError.self, "\(raw)") { try read(.object(object)) }
        }
    }

    @Test("a missing, unknown, repeated or wrongly typed key is refused")
    func strict() async throws {
        let file = try await Self.file()
        let original = try object(file)
        for member in original.members {
            var object = original
            object[member.key] = nil
            #expect(throws: DexError.self, "without \(member.key)") { try read(.object(object)) }
            object[member.key] = [[]]
            #expect(throws: DexError.self, "\(member.key)") { try read(.object(object)) }
        }
        var more = original
        more["extra"] = 1
        #expect(throws: DexError.self) { try read(.object(more)) }
        var later = original
        later["schema"] = "dex-signed/2"
        #expect(throws: DexError.self) { try read(.object(later)) }
        let twice = file.text.replacing(#""nonce":4"#, with: #""nonce":4,"nonce":4"#)
        for text in [
            "", "{}", "[]", "null", "\u{0}", twice, String(repeating: "[", count: 100_000),
            file.text + file.text, String(file.text.dropLast(20)),
            file.text.replacing(#""nonce":4"#, with: #""nonce":4.0"#),
            file.text.replacing(#""nonce":4"#, with: #""nonce":-4"#),
            file.text.replacing(#""nonce":4"#, with: #""nonce":18446744073709551616"#),
            file.text.replacing(#""value":"5""#, with: #""value":"+5""#),
        ] {
            #expect(throws: DexError.self, "\(text.prefix(60))") {
                try SignedFile(Array(text.utf8)).verified(Secp256k1())
            }
        }
        #expect(throws: DexError.self) { try SignedFile([0xFF, 0xFE, 0x7B]) }
    }
}
