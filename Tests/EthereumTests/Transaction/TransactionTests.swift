import Ethereum
import EthereumWallet
import Testing

@Suite("Transactions")
struct TransactionTests {
    private static let key = "0x" + String(repeating: "46", count: 32)

    private static func example(chainID: UInt64?) throws -> Transaction {
        Transaction(
            chainID: chainID,
            nonce: 9,
            fee: .legacy(gasPrice: Wei(20_000_000_000)),
            gasLimit: 21000,
            to: try Address("0x3535353535353535353535353535353535353535"),
            value: Wei(1_000_000_000_000_000_000)
        )
    }

    // Source: https://eips.ethereum.org/EIPS/eip-155
    @Test("EIP-155's example has its signing hash, its signature and its raw form")
    func eip155() async throws {
        let transaction = try Self.example(chainID: 1)
        #expect(
            transaction.signingHash.hex
                == "0xdaf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53"
        )
        let signed = try await PrivateKeySigner(hex: Self.key).sign(transaction, chainID: 1)
        #expect(
            Hex.encode(signed.raw)
                == "0xf86c098504a817c800825208943535353535353535353535353535353535353535880"
                + "de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590"
                + "620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83"
        )
        #expect(try SignedTransaction(raw: signed.raw, recoverer: Secp256k1()) == signed)
        #expect(signed.hash.word == Keccak256.hash(signed.raw))
    }

    static func samples() throws -> [Transaction] {
        let contract = try Address("0x12459C951127e0c374FF9105DdA097662A027093")
        let entries = [
            AccessListEntry(address: contract, storageKeys: [.zero, UInt256.max.word]),
            AccessListEntry(address: .zero, storageKeys: []),
        ]
        let dynamic = Transaction.Fee.dynamic(
            maxFeePerGas: Wei(30_000_000_000),
            maxPriorityFeePerGas: Wei(1)
        )
        return [
            try example(chainID: nil),
            try example(chainID: 1),
            try example(chainID: 1337),
            try example(chainID: .max),
            Transaction(
                chainID: 1,
                nonce: 0,
                fee: .legacy(gasPrice: .zero),
                gasLimit: 0,
                to: nil,
                data: Array(repeating: 0xAB, count: 80)
            ),
            Transaction(
                chainID: 1,
                nonce: .max - 1,
                fee: .accessList(gasPrice: Wei(.max)),
                gasLimit: .max,
                to: contract,
                value: Wei(.max),
                data: [0],
                accessList: entries
            ),
            Transaction(
                chainID: 1337,
                nonce: 3,
                fee: dynamic,
                gasLimit: 300_000,
                to: contract,
                data: ERC20.approve(spender: contract, amount: 5),
                accessList: entries
            ),
            Transaction(chainID: 5, nonce: 0, fee: dynamic, gasLimit: 1, to: nil, data: [1, 2]),
        ]
    }

    private func signed(_ transaction: Transaction) throws -> SignedTransaction {
        let signer = try PrivateKeySigner(hex: Self.key)
        return SignedTransaction(
            transaction: transaction,
            signature: try signer.signature(over: transaction.signingHash),
            sender: signer.address
        )
    }

    @Test("each kind survives a round trip with its sender", arguments: 0..<8)
    func roundTrips(index: Int) throws {
        let signed = try signed(Self.samples()[index])
        #expect(try SignedTransaction(raw: signed.raw, recoverer: Secp256k1()) == signed)
    }

    @Test("the raw form begins as its kind demands")
    func prefixes() throws {
        let firsts = try Self.samples().map { try signed($0).raw[0] }
        #expect(firsts.map { $0 >= 0xC0 } == [true, true, true, true, true, false, false, false])
        #expect(firsts.suffix(3) == [1, 2, 2])
    }

    @Test("every truncation of a raw transaction is refused", arguments: 0..<8)
    func truncations(index: Int) throws {
        let raw = try signed(Self.samples()[index]).raw
        for count in 0..<raw.count {
            #expect(throws: TransactionError.self) {
                try SignedTransaction(raw: Array(raw.prefix(count)), recoverer: Secp256k1())
            }
        }
        #expect(throws: TransactionError.self) {
            try SignedTransaction(raw: raw + [0], recoverer: Secp256k1())
        }
    }

    @Test("every bit flip is refused or is another transaction or sender", arguments: 0..<8)
    func bitFlips(index: Int) throws {
        let original = try signed(Self.samples()[index])
        let raw = original.raw
        for position in raw.indices {
            for bit in 0..<8 {
                var flipped = raw
                flipped[position] ^= 1 << bit
                guard
                    let other = try? SignedTransaction(raw: flipped, recoverer: Secp256k1())
                else { continue }
                #expect(other != original)
                #expect(other.raw == flipped)
                let isSameAccount = other.sender == original.sender
                #expect(!isSameAccount, "byte \(position), bit \(bit) was not covered by the key")
            }
        }
    }

    @Test("a high s is refused, though its signer could be recovered")
    func highS() throws {
        let signed = try signed(Self.example(chainID: 1))
        let order: UInt256 = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
        let mirrored = try #require(
            Signature(
                r: signed.signature.r,
                s: (order - UInt256(signed.signature.s)).word,
                yParity: 1 - signed.signature.yParity
            )
        )
        #expect(!mirrored.hasLowS)
        let digest = signed.transaction.signingHash
        #expect(try Secp256k1().recover(digest: digest, signature: mirrored) == signed.sender)
        let malleable = SignedTransaction(
            transaction: signed.transaction,
            signature: mirrored,
            sender: signed.sender
        )
        #expect(throws: TransactionError.highS) {
            try SignedTransaction(raw: malleable.raw, recoverer: Secp256k1())
        }
    }

    @Test("half of the group's order is the highest low s")
    func lowS() throws {
        let half: UInt256 = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0
        let at = { (s: UInt256) in
            Signature(r: UInt256(1).word, s: s.word, yParity: 0)?.hasLowS
        }
        #expect(at(half) == true)
        #expect(at(half + 1) == false)
        #expect(at(.max) == false)
        #expect(at(1) == true)
    }

    @Test(
        "what cannot be a transaction is refused with its reason",
        arguments: [
            ("0x", TransactionError.malformed("there are no bytes")),
            ("0x80", .malformed("it begins neither with a type nor with a list")),
            ("0x00", .unsupportedType(0)),
            ("0x03c0", .unsupportedType(3)),
            ("0x7f", .unsupportedType(127)),
            ("0xc0", .malformed("it is not a list of 9 fields")),
            ("0x01c0", .malformed("it is not a list of 11 fields")),
            ("0x02c0", .malformed("it is not a list of 12 fields")),
            ("0x04c0", .malformed("it is not a list of 13 fields")),
            ("0x0280", .malformed("it is not a list of 12 fields")),
            ("0x02", .malformed("its RLP is not canonical (it ends too early)")),
            ("0xc000", .malformed("its RLP is not canonical (bytes follow it)")),
            (
                "0xc28100",
                .malformed(
                    "its RLP is not canonical (a length or byte is not in its shortest form)"
                )
            ),
        ]
    )
    func malformed(digits: String, error: TransactionError) throws {
        let raw = try hex(digits)
        #expect(throws: error) { try SignedTransaction(raw: raw, recoverer: Secp256k1()) }
    }

    @Test("each field is checked")
    func fields() throws {
        let address = RLP.bytes([UInt8](repeating: 0x35, count: 20))
        let empty = RLP.bytes([])
        let one = RLP.integer(1)
        let good: [RLP] = [
            one, one, one, one, one, address, one, empty, .list([]), one, one, one,
        ]
        let tooLong = RLP.bytes([1] + [UInt8](repeating: 0, count: 32))
        let list = RLP.list([])
        let integer = { (name: String) in "the \(name) is not an integer in its shortest form" }
        let cases: [(Int, RLP, String)] = [
            (0, .bytes([0]), integer("chain id")),
            (0, .integer(1 << 64), "the chain id exceeds 64 bits"),
            (1, .integer(1 << 64), "the nonce exceeds 64 bits"),
            (
                1, .integer(UInt256(UInt64.max)),
                "the nonce is 2^64 - 1, which EIP-2681 refuses"
            ),
            (2, tooLong, integer("priority fee")), (3, .bytes([0, 1]), integer("fee")),
            (4, list, integer("gas limit")),
            (4, .integer(1 << 64), "the gas limit exceeds 64 bits"),
            (5, .bytes([1]), "the recipient is not 20 bytes"),
            (5, list, "the recipient is a list"), (6, list, integer("value")),
            (7, list, "the data is a list"), (8, empty, "the access list is not a list"),
            (
                8, .list([.list([address])]),
                "an entry of the access list is not an address and keys"
            ),
            (
                8, .list([.list([empty, list])]),
                "an entry of the access list is not an address and keys"
            ),
            (
                8, .list([.list([address, .list([one])])]),
                "a storage key of the access list is not 32 bytes"
            ),
            (9, .integer(2), "the signature's parity is neither 0 nor 1"),
            (9, .integer(256), "the signature's parity is neither 0 nor 1"),
            (10, .bytes([0]), integer("signature's r")), (11, tooLong, integer("signature's s")),
        ]
        for (index, item, reason) in cases {
            var fields = good
            fields[index] = item
            let raw = [2] + RLP.list(fields).encoded
            #expect(throws: TransactionError.malformed(reason)) {
                try SignedTransaction(raw: raw, recoverer: Secp256k1())
            }
        }
        for index in [10, 11] {
            var fields = good
            fields[index] = empty
            let raw = [2] + RLP.list(fields).encoded
            #expect(throws: TransactionError.badSignature(.outOfRange)) {
                try SignedTransaction(raw: raw, recoverer: Secp256k1())
            }
        }
    }

    @Test(
        "a legacy v is 27, 28 or from a chain id above zero that fits 64 bits",
        arguments: [0, 1, 26, 29, 34, 35, 36]
    )
    func legacyV(v: UInt64) throws {
        let raw = legacy(v: UInt256(v))
        let reason = "v is \(v), which is neither 27, 28 nor from a chain id"
        #expect(throws: TransactionError.malformed(reason)) {
            try SignedTransaction(raw: raw, recoverer: Secp256k1())
        }
    }

    @Test("a legacy v of a chain id beyond 64 bits is refused")
    func hugeV() {
        for v in [UInt256(1) << 65 + 35, .max] {
            #expect(throws: TransactionError.malformed("the chain id exceeds 64 bits")) {
                try SignedTransaction(raw: legacy(v: v), recoverer: Secp256k1())
            }
        }
    }

    private func legacy(v: UInt256) -> [UInt8] {
        let one = RLP.integer(1)
        return RLP.list([
            one, one, one, .bytes([]), one, .bytes([]), .integer(v), one, one,
        ]).encoded
    }

    @Test("the greatest price is the legacy price or the fee cap")
    func maximumGasPrice() throws {
        let prices = try Self.samples().map(\.maximumGasPrice)
        #expect(prices[0] == Wei(20_000_000_000))
        #expect(prices[5] == Wei(.max))
        #expect(prices[6] == Wei(30_000_000_000))
    }

    @Test(
        "each error is a sentence",
        arguments: [
            (
                TransactionError.malformed("there are no bytes"),
                "This is not a signed transaction: there are no bytes."
            ),
            (
                .unsupportedType(3),
                "Transactions of type 3 are not supported; types 0, 1, 2 and 4 are."
            ),
            (
                .badSignature(.noSigner),
                "The transaction's signature is not valid: No key can have made this signature."
            ),
            (.highS, "The transaction's signature has a high s value, which EIP-2 refuses."),
        ]
    )
    func sentences(error: TransactionError, sentence: String) {
        #expect("\(error)" == sentence)
    }
}
