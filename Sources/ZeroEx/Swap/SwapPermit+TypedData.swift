public import Ethereum

extension SwapPermit {
    /// The hash that is signed: the digest of `typedData`.
    public var hash: Bytes32 {
        var permitted = Self.permissionsHash.bytes
        token.word.append(to: &permitted)
        amount.word.append(to: &permitted)
        var message = Self.transferHash.bytes
        Keccak256.hash(permitted).append(to: &message)
        for word in [spender.word, nonce.word, deadline.word] { word.append(to: &message) }
        return TypedData.digest(
            domainSeparator: domain.separator,
            structHash: Keccak256.hash(message)
        )
    }

    /// The EIP-712 data that a wallet signs.
    ///
    /// Source: Permit2's SignatureTransfer; its domain has no version.
    public var typedData: TypedData? {
        // Types and values match by construction, so nothing is thrown.
        try? TypedData(
            types: TypedDataTypes([
                TypedDataStruct(
                    Self.transferName,
                    [
                        (name: "permitted", type: Self.permissionsName),
                        (name: "spender", type: "address"), (name: "nonce", type: "uint256"),
                        (name: "deadline", type: "uint256"),
                    ]
                ),
                TypedDataStruct(
                    Self.permissionsName,
                    [(name: "token", type: "address"), (name: "amount", type: "uint256")]
                ),
            ]),
            primaryType: Self.transferName,
            domain: domain,
            message: .tuple([
                .tuple([.address(token), .uint(amount)]), .address(spender), .uint(nonce),
                .uint(deadline),
            ])
        )
    }

    private var domain: TypedDataDomain {
        TypedDataDomain(
            name: "Permit2",
            chainID: UInt256(chainID),
            verifyingContract: contract
        )
    }

    private static let transferName = "PermitTransferFrom"
    private static let permissionsName = "TokenPermissions"
    private static let permissionsType = "TokenPermissions(address token,uint256 amount)"
    private static let permissionsHash = Keccak256.hash(permissionsType.utf8)
    private static let transferHash = Keccak256.hash(
        ("PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,"
            + "uint256 deadline)" + permissionsType).utf8
    )
}
