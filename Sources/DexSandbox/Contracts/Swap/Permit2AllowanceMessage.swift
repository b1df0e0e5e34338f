import Ethereum

/// The message by which an owner gives an allowance inside Permit2: `PermitSingle`.
struct Permit2AllowanceMessage {
    let token: Address
    let terms: Permit2Allowance
    let spender: Address
    /// The last second since 1970 at which the signature is taken.
    let deadline: UInt256

    private static let details =
        "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
    private static let detailsType = Keccak256.hash(details.utf8)
    private static let type = Keccak256.hash(
        "PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)\(details)".utf8
    )

    /// Its six words in call data.
    init(_ input: inout ProxyCalldata) throws(CallFailure) {
        token = try input.address()
        terms = Permit2Allowance(
            amount: try input.number(bits: 160),
            expiration: try input.number(bits: 48),
            nonce: try input.number(bits: 48)
        )
        spender = try input.address()
        deadline = try input.number()
    }

    /// What the owner signs.
    func digest(in domain: Bytes32) -> Bytes32 {
        let details = Keccak256.hash(
            Words.bytes(
                Self.detailsType,
                token.word,
                terms.amount.word,
                terms.expiration.word,
                terms.nonce.word
            )
        )
        let permit = Keccak256.hash(
            Words.bytes(Self.type, details, spender.word, deadline.word)
        )
        return Keccak256.hash([0x19, 0x01] + domain.bytes + permit.bytes)
    }
}
