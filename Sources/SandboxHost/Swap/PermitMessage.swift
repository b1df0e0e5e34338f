import DexSandbox
import Ethereum
import StrictJSON

/// The Permit2 message of a quote: the Settler may take the sold amount once.
///
/// Source: Permit2's SignatureTransfer.
struct PermitMessage: Hashable, Sendable {
    let chainID: UInt64
    let token: Address
    let amount: UInt256
    let spender: Address
    let nonce: UInt256
    /// Seconds since 1970.
    let deadline: UInt64

    /// The member `permit2` of a quote.
    ///
    /// - Throws: `TypedDataError`, never for these types.
    func json() throws(TypedDataError) -> JSONValue {
        let data = try TypedData(
            types: TypedDataTypes([
                TypedDataStruct("TokenPermissions", [("token", "address"), ("amount", "uint256")]),
                TypedDataStruct(
                    "PermitTransferFrom",
                    [
                        ("permitted", "TokenPermissions"), ("spender", "address"),
                        ("nonce", "uint256"), ("deadline", "uint256"),
                    ]
                ),
            ]),
            primaryType: "PermitTransferFrom",
            domain: TypedDataDomain(
                name: "Permit2",
                chainID: UInt256(chainID),
                verifyingContract: GenesisSwap.permit2
            ),
            message: .tuple([
                .tuple([.address(token), .uint(amount)]), .address(spender), .uint(nonce),
                .uint(UInt256(deadline)),
            ])
        )
        guard case .object(var eip712) = data.json,
            case .object(var domain)? = eip712["domain"]
        else { return .null }
        // 0x writes it as a number, all others as texts.
        domain["chainId"] = .integer(chainID)
        domain["verifyingContract"] = .string(GenesisSwap.permit2.lowercaseHex)
        eip712["domain"] = .object(domain)
        return [
            "type": "Permit2",
            "hash": .string(data.digest.hex),
            "eip712": .object(eip712),
        ]
    }
}
