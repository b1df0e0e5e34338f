import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@Suite("Transactions of type 4, which let accounts run other code")
struct SetCodeTests {
    private static func valid() throws -> [[UInt8]] {
        try vectors("set-code").list("valid").map { try hex($0.text("raw")) }
    }

    @Test(
        "each of another library's has its hash, its sender and the signers of its authorizations"
    )
    func vectorsOfAnother() throws {
        let found = try vectors("set-code").list("valid")
        #expect(found.count == 18)
        for vector in found {
            let name = try vector.text("name")
            let raw = try hex(vector.text("raw"))
            let signed = try SignedTransaction(raw: raw, recoverer: Secp256k1())
            #expect(signed.transaction.type == 4)
            #expect(signed.hash.hex == (try vector.text("hash")), "\(name)")
            #expect(signed.sender == (try Address(lenient: vector.text("sender"))), "\(name)")
            #expect(signed.raw == raw, "\(name)")
            let wanted = try vector.list("authorizations")
            let authorizations = signed.transaction.authorizations
            try #require(authorizations.count == wanted.count)
            for (authorization, wanted) in zip(authorizations, wanted) {
                #expect(authorization.signingHash.hex == (try wanted.text("hash")), "\(name)")
                let signer = try Address(lenient: wanted.text("signer"))
                #expect(authorization.signer(Secp256k1()) == signer, "\(name)")
            }
        }
    }

    @Test("one with a wrong form is refused, whatever is wrong")
    func invalid() throws {
        let found = try vectors("set-code").list("invalid")
        #expect(found.count == 21)
        for vector in found {
            let raw = try hex(vector.text("raw"))
            #expect(throws: TransactionError.self, "\(vector["name"] ?? "")") {
                try SignedTransaction(raw: raw, recoverer: Secp256k1())
            }
        }
    }

    @Test("no beginning of one is one, and none traps")
    func truncated() throws {
        for raw in try Self.valid().prefix(3) {
            for count in 0..<raw.count {
                #expect(throws: TransactionError.self) {
                    try SignedTransaction(raw: Array(raw.prefix(count)), recoverer: Secp256k1())
                }
            }
        }
    }

    @Test("the reasons are words")
    func reasons() throws {
        let raw = try #require(try Self.valid().first)
        guard case .list(var fields) = try RLP.decode(Array(raw.dropFirst())) else {
            Issue.record("no list")
            return
        }
        let cases: [(Int, RLP, String)] = [
            (5, .bytes([]), "a transaction of type 4 creates no contract"),
            (9, .list([]), "a transaction of type 4 has at least one authorization"),
            (
                9, .list([.list([])]),
                "an authorization is not a chain, an address, a nonce and a signature"
            ),
        ]
        for (index, item, reason) in cases {
            let whole = fields[index]
            fields[index] = item
            defer { fields[index] = whole }
            #expect(throws: TransactionError.malformed(reason)) {
                try SignedTransaction(
                    raw: [4] + RLP.list(fields).encoded,
                    recoverer: Secp256k1()
                )
            }
        }
    }

    /// Anything may stand in the list: a transaction goes on without what is not valid.
    @Test("an authorization with a high s, another parity or no possible point has no signer")
    func unsigned() throws {
        let order: UInt256 =
            0xFFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFE_BAAE_DCE6_AF48_A03B_BFD2_5E8C_D036_4141
        let raw = try #require(try Self.valid().first)
        let signed = try SignedTransaction(raw: raw, recoverer: Secp256k1())
        let good = signed.transaction.authorizations[0]
        func changed(
            _ yParity: UInt8? = nil,
            r: UInt256? = nil,
            s: UInt256? = nil
        ) -> Transaction.Authorization {
            Transaction.Authorization(
                chainID: good.chainID,
                delegate: good.delegate,
                nonce: good.nonce,
                yParity: yParity ?? good.yParity,
                r: r ?? good.r,
                s: s ?? good.s
            )
        }
        #expect(changed().signer(Secp256k1()) != nil)
        let bad = [
            changed(1 - good.yParity, s: order - good.s), changed(2), changed(27), changed(255),
            changed(r: .zero), changed(s: .zero), changed(r: order), changed(s: order),
            changed(r: .max), changed(s: .max),
        ]
        for authorization in bad { #expect(authorization.signer(Secp256k1()) == nil) }
        // They are read and written as they are.
        var transaction = signed.transaction
        transaction.authorizations = bad
        let again = SignedTransaction(
            transaction: transaction,
            signature: signed.signature,
            sender: signed.sender
        ).raw
        #expect(try SignedTransaction.transaction(inRaw: again) == transaction)
        for authorization in bad {
            #expect(Transaction.Authorization(authorization.json) == authorization)
        }
    }

    @Test("its JSON has the members that nodes write, and its authorizations are read again")
    func json() throws {
        for raw in try Self.valid() {
            let signed = try SignedTransaction(raw: raw, recoverer: Secp256k1())
            let json = JSONValue.object(signed.json)
            #expect(json["type"] == "0x4")
            #expect(json["hash"] == .string(signed.hash.hex))
            #expect(json["maxFeePerGas"] == json["gasPrice"])
            let list = try #require(json["authorizationList"]?.arrayValue)
            #expect(
                list.compactMap { Transaction.Authorization($0) }
                    == signed.transaction.authorizations
            )
            #expect(
                list[0].objectValue?.members.map(\.key)
                    == ["chainId", "address", "nonce", "yParity", "r", "s"]
            )
        }
    }

    @Test("the code of an account that runs another one's")
    func delegation() throws {
        let delegate = try #require(Address(bytes: [UInt8](repeating: 1, count: 20)))
        let code = Delegation.code(for: delegate)
        #expect(code == [0xEF, 0x01, 0x00] + delegate.bytes)
        #expect(Delegation.delegate(of: code) == delegate)
        for other in [[], [0x60], code + [0], Array(code.dropLast())] as [[UInt8]] {
            #expect(Delegation.delegate(of: other) == nil)
        }
    }

    @Test("JSON of an authorization with a member missing, of another type or too large is none")
    func badJSON() throws {
        let signed = try SignedTransaction(raw: Self.valid()[0], recoverer: Secp256k1())
        let good = try #require(signed.transaction.authorizations[0].json.objectValue)
        let tooLong = JSONValue.string("0x1" + String(repeating: "0", count: 64))
        for member in good.members {
            for value in [nil, .null, 1, "", "0x", tooLong] as [JSONValue?] {
                var object = good
                object[member.key] = value
                #expect(Transaction.Authorization(.object(object)) == nil, "\(member.key)")
            }
        }
        var named = good
        named["v"] = named["yParity"]
        named["yParity"] = nil
        #expect(
            Transaction.Authorization(.object(named)) == signed.transaction.authorizations[0]
        )
        for (key, value) in [("nonce", "0x10000000000000000"), ("yParity", "0x100")] {
            var object = good
            object[key] = .string(value)
            #expect(Transaction.Authorization(.object(object)) == nil)
        }
    }

    @Test("the type follows from the fee and the authorizations, and all of it is signed")
    func types() throws {
        #expect(try TransactionTests.samples().map(\.type) == [0, 0, 0, 0, 0, 1, 2, 2])
        let signed = try SignedTransaction(raw: Self.valid()[1], recoverer: Secp256k1())
        var transaction = signed.transaction
        let whole = transaction.signingHash
        transaction.authorizations.removeLast()
        #expect(transaction.signingHash != whole)
        transaction.authorizations = []
        #expect(transaction.type == 2)
        #expect(transaction.signingPayload.first == 2)
        #expect(signed.transaction.signingPayload.first == 4)
    }
}
