package import Ethereum

/// What the signature of a known kind of typed data lets others do with the signer's tokens.
///
/// It is read from the types, the domain and the values that are hashed, never from a name alone: a
/// message of other members is another message, and is not known here.
package struct TypedGrant: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// An allowance in the token itself, by EIP-2612, or as DAI has it.
        case permit
        /// An allowance in Permit2.
        case permit2Allowance = "permit2-allowance"
        /// One transfer by Permit2.
        case permit2Transfer = "permit2-transfer"
        /// One transfer inside the token, by EIP-3009.
        case transferAuthorization = "transfer-authorization"
        /// A limit order of 0x v4.
        case limitOrder = "limit-order"
        /// An RFQ order of 0x v4.
        case rfqOrder = "rfq-order"
    }

    /// One token that may leave, and how much of it.
    package struct Part: Hashable, Sendable {
        package let token: Address
        /// Base units.
        package let amount: UInt256
        /// Whether it stands for everything.
        package let isUnlimited: Bool
        /// When it can no longer be used, in seconds since 1970; nil for an allowance that stays.
        package let expires: UInt256?
    }

    package let kind: Kind
    /// Whose tokens, as the message says; nil if it names no one: those of the signer.
    package let owner: Address?
    /// Who may take them; of an order the exchange, of a transfer inside the token who gets them.
    package let spender: Address
    /// The tokens that may leave, in the order of the message.
    package let parts: [Part]
    /// What an order gives for them; nil for a permit.
    package let receives: Receipt?
    /// Until when the signature can be used, in seconds since 1970.
    package let deadline: UInt256
    /// The contract that checks the signature.
    package let contract: Address
    /// nil: the domain names no chain.
    package let chainID: UInt256?
    /// Further terms, which the spender checks, and which are not read here.
    package let hasWitness: Bool

    /// What an order gives.
    package struct Receipt: Hashable, Sendable {
        package let token: Address
        /// Base units, for the whole order.
        package let amount: UInt256
        /// The only account that may fill it; nil for anyone.
        package let taker: Address?
        /// The only account that may send the fill; nil for anyone.
        package let sender: Address?
    }

    /// Whether an allowance inside the token for this amount, which its spender alone can draw:
    /// EIP-2612.
    ///
    /// DAI's permit is for everything, so that no trust in its spender bounds it.
    package let isAllowance: Bool

    /// Whether an order.
    package var isOrder: Bool { receives != nil }

    /// Whether it can be used only on one chain.
    package var namesChain: Bool { chainID != nil }
}

extension TypedGrant {
    /// Permit2 counts in 160 bits: half of that and more is all.
    private static let everything = UInt256(1) << 159
    /// UNI and COMP count in 96 bits, and take the largest number for all.
    private static let everythingIn96Bits = (UInt256(1) << 96) &- 1

    /// Whether an amount of base units stands for everything.
    package static func isUnlimited(_ amount: UInt256) -> Bool {
        amount >= everything || amount == everythingIn96Bits
    }

    /// Reads typed data; nil if it is of no known kind.
    package init?(_ data: TypedData) {
        guard let contract = data.domain.verifyingContract,
            let type = data.types.encodedType(of: data.primaryType),
            case .tuple(let values) = data.message
        else { return nil }
        let reader = TypedGrantReader(data: data, contract: contract, values: values)
        guard let grant = reader.grant(type) else { return nil }
        self = grant
    }
}
