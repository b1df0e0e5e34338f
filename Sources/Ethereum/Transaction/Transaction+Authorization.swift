public import StrictJSON

extension Transaction {
    /// What lets an account run another one's code, with the account's signature.
    ///
    /// Anything may stand here: an authorization that is not valid has no effect, and the
    /// transaction goes on without it.
    ///
    /// Source: EIP-7702.
    public struct Authorization: Hashable, Sendable {
        /// The chain where it counts; zero is every chain.
        public let chainID: UInt256
        /// The account whose code runs; zero ends that.
        public let delegate: Address
        /// The number of the signer's earlier transactions and authorizations.
        public let nonce: UInt64
        /// Of the signature: 0 or 1 in a valid one.
        public let yParity: UInt8
        public let r: UInt256
        public let s: UInt256

        public init(
            chainID: UInt256,
            delegate: Address,
            nonce: UInt64,
            yParity: UInt8,
            r: UInt256,
            s: UInt256
        ) {
            (self.chainID, self.delegate, self.nonce) = (chainID, delegate, nonce)
            (self.yParity, self.r, self.s) = (yParity, r, s)
        }
    }
}

extension Transaction.Authorization {
    /// The hash that the account signs.
    public var signingHash: Bytes32 {
        Self.signingHash(chainID: chainID, delegate: delegate, nonce: nonce)
    }

    /// The hash that an account signs, before there is a signature.
    public static func signingHash(
        chainID: UInt256,
        delegate: Address,
        nonce: UInt64
    ) -> Bytes32 {
        let fields = signedFields(chainID, delegate, nonce)
        return Keccak256.hash([0x05] + RLP.list(fields).encoded)
    }

    private static func signedFields(
        _ chainID: UInt256,
        _ delegate: Address,
        _ nonce: UInt64
    ) -> [RLP] {
        [.integer(chainID), .bytes(delegate.bytes), .integer(UInt256(nonce))]
    }

    /// The account that signed it; nil if nobody can have, or s is in the upper half.
    public func signer(_ recoverer: some SignatureRecovering) -> Address? {
        guard let signature = Signature(r: r.word, s: s.word, yParity: yParity),
            signature.hasLowS
        else { return nil }
        // nil: no key fits
        return try? recoverer.recover(digest: signingHash, signature: signature)
    }

    var rlp: RLP {
        .list(
            Self.signedFields(chainID, delegate, nonce) + [
                .integer(UInt256(UInt64(yParity))), .integer(r), .integer(s),
            ]
        )
    }

    /// nil for anything that `rlp` does not write.
    init?(rlp: RLP) {
        guard case .list(let fields) = rlp, fields.count == 6,
            let chainID = fields[0].unsignedInteger, let delegate = fields[1].address,
            let nonce = fields[2].unsignedInteger?.uint64,
            let parity = fields[3].unsignedInteger?.uint64.flatMap({ UInt8(exactly: $0) }),
            let r = fields[4].unsignedInteger, let s = fields[5].unsignedInteger
        else { return nil }
        self.init(chainID: chainID, delegate: delegate, nonce: nonce, yParity: parity, r: r, s: s)
    }

    /// The authorization as nodes write it.
    public var json: JSONValue {
        [
            "chainId": .string(chainID.quantity),
            "address": .string(delegate.lowercaseHex),
            "nonce": .string(UInt256(nonce).quantity),
            "yParity": .string(UInt256(UInt64(yParity)).quantity),
            "r": .string(r.quantity),
            "s": .string(s.quantity),
        ]
    }

    /// An authorization from what nodes write, some of them `v` for `yParity`; nil for anything
    /// else.
    public init?(_ json: JSONValue) {
        func number(_ key: String) -> UInt256? {
            json[key]?.stringValue.flatMap(UInt256.init(quantity:))
        }
        guard let chainID = number("chainId"),
            let delegate = json["address"]?.stringValue.flatMap(Address.init(ifHex:)),
            let nonce = number("nonce")?.uint64,
            let parity = (number("yParity") ?? number("v"))?.uint64
                .flatMap({ UInt8(exactly: $0) }),
            let r = number("r"), let s = number("s")
        else { return nil }
        self.init(chainID: chainID, delegate: delegate, nonce: nonce, yParity: parity, r: r, s: s)
    }
}
