import Ethereum

/// The message of a signed transfer.
struct Permit2Message {
    let token: Address
    /// The most that may be moved, in base units.
    let amount: UInt256
    let spender: Address
    let nonce: UInt256
    /// Seconds since 1970.
    let deadline: UInt256

    private static let domainType = Keccak256.hash(
        "EIP712Domain(string name,uint256 chainId,address verifyingContract)".utf8
    )
    private static let name = Keccak256.hash("Permit2".utf8)
    private static let permissionsType = Keccak256.hash(
        "TokenPermissions(address token,uint256 amount)".utf8
    )
    private static let transferType = Keccak256.hash(
        ("PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,"
            + "uint256 deadline)TokenPermissions(address token,uint256 amount)").utf8
    )

    static func domain(chainID: UInt64, contract: Address) -> Bytes32 {
        Keccak256.hash(Words.bytes(domainType, name, UInt256(chainID).word, contract.word))
    }

    /// What the owner signs.
    func digest(in domain: Bytes32) -> Bytes32 {
        let permitted = Keccak256.hash(
            Words.bytes(Self.permissionsType, token.word, amount.word)
        )
        let transfer = Keccak256.hash(
            Words.bytes(Self.transferType, permitted, spender.word, nonce.word, deadline.word)
        )
        return Keccak256.hash([0x19, 0x01] + domain.bytes + transfer.bytes)
    }
}

extension Permit2Message {
    /// `((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline)`; the spender
    /// is who calls.
    init(_ input: inout ProxyCalldata, spender: Address) throws(CallFailure) {
        token = try input.address()
        amount = try input.number()
        self.spender = spender
        nonce = try input.number()
        deadline = try input.number()
    }
}
