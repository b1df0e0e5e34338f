/// A transaction before it is signed.
///
/// A `Signer`, such as the `PrivateKeySigner` of EthereumWallet, makes a `SignedTransaction` of it.
///
/// ```swift
/// let transaction = Transaction(
///     chainID: 1,
///     nonce: 9,
///     fee: .dynamic(
///         maxFeePerGas: Wei(30_000_000_000),
///         maxPriorityFeePerGas: Wei(1_000_000_000)
///     ),
///     gasLimit: 21_000,
///     to: try Address("0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"),
///     value: Wei(try DecimalText.parse("0.25", decimals: 18))
/// )
/// print(transaction.signingHash)
/// // Prints "0xd836deecc5c7cec45da58abcaa3b0e4e4d22194ec5bc932f03424bae68adf457"
/// ```
///
/// Sources: EIP-155 (legacy), EIP-2930 (type 1), EIP-1559 (type 2), EIP-7702 (type 4).
public struct Transaction: Hashable, Sendable {
    /// The transaction type with its fee fields; prices are wei per unit of gas.
    public enum Fee: Hashable, Sendable {
        /// Legacy: one gas price.
        case legacy(gasPrice: Wei)
        /// Type 1, EIP-2930: one gas price and an access list.
        case accessList(gasPrice: Wei)
        /// Type 2, EIP-1559: the maximum total price per gas, and the maximum tip within it.
        case dynamic(maxFeePerGas: Wei, maxPriorityFeePerGas: Wei)

        /// The maximum price of one unit of gas.
        public var maximum: Wei {
            switch self {
            case .legacy(let gasPrice), .accessList(let gasPrice): gasPrice
            case .dynamic(let maxFeePerGas, _): maxFeePerGas
            }
        }

        /// The maximum tip for the block's producer; nil where all above the base fee is the tip.
        public var tip: Wei? {
            if case .dynamic(_, let maxPriorityFeePerGas) = self {
                maxPriorityFeePerGas
            } else {
                nil
            }
        }
    }

    /// The chain; nil only for a legacy transaction from before EIP-155.
    public var chainID: UInt64?
    /// The number of the sender's earlier transactions.
    public var nonce: UInt64
    /// The type and its prices.
    public var fee: Fee
    /// The maximum gas it may use.
    public var gasLimit: UInt64
    /// The account or contract called; nil creates a contract.
    public var to: Address?
    /// The ether sent along.
    public var value: Wei
    /// The call data.
    public var data: [UInt8]
    /// Storage that is warm from the start (EIP-2930); must be empty for a legacy transaction.
    public var accessList: [AccessListEntry]
    /// Accounts that let other code run as theirs (EIP-7702): one or more make a transaction with a
    /// tip and a recipient one of type 4; must be empty for any other.
    public var authorizations: [Authorization]

    public init(
        chainID: UInt64?,
        nonce: UInt64,
        fee: Fee,
        gasLimit: UInt64,
        to: Address?,
        value: Wei = .zero,
        data: [UInt8] = [],
        accessList: [AccessListEntry] = [],
        authorizations: [Authorization] = []
    ) {
        self.chainID = chainID
        self.nonce = nonce
        self.fee = fee
        self.gasLimit = gasLimit
        self.to = to
        self.value = value
        self.data = data
        self.accessList = accessList
        self.authorizations = authorizations
    }

    /// The EIP-2718 type: 0, 1, 2 or 4.
    public var type: UInt8 {
        switch fee {
        case .legacy: 0
        case .accessList: 1
        case .dynamic: authorizations.isEmpty ? 2 : 4
        }
    }

    /// The hash that the sender signs.
    public var signingHash: Bytes32 {
        Keccak256.hash(signingPayload)
    }

    /// The bytes that are hashed and signed; a hardware wallet gets these.
    public var signingPayload: [UInt8] {
        var fields = unsignedFields
        if case .legacy = fee, let chainID {
            fields += [.integer(UInt256(chainID)), .bytes([]), .bytes([])]
        }
        return typePrefix + RLP.list(fields).encoded
    }

    /// The type byte before a typed transaction's RLP; empty for a legacy one.
    var typePrefix: [UInt8] { type == 0 ? [] : [type] }

    /// The RLP items before the signature's.
    var unsignedFields: [RLP] {
        let rest: [RLP] = [
            .integer(UInt256(gasLimit)),
            .bytes(to?.bytes ?? []),
            .integer(value.rawValue),
            .bytes(data),
        ]
        let chainID = RLP.integer(UInt256(chainID ?? 0))
        let nonce = RLP.integer(UInt256(nonce))
        switch fee {
        case .legacy(let gasPrice):
            return [nonce, .integer(gasPrice.rawValue)] + rest
        case .accessList(let gasPrice):
            return [chainID, nonce, .integer(gasPrice.rawValue)] + rest + [accessListItem]
        case .dynamic(let maxFeePerGas, let maxPriorityFeePerGas):
            let prices: [RLP] = [
                .integer(maxPriorityFeePerGas.rawValue), .integer(maxFeePerGas.rawValue),
            ]
            let lists =
                authorizations.isEmpty
                ? [accessListItem] : [accessListItem, .list(authorizations.map(\.rlp))]
            return [chainID, nonce] + prices + rest + lists
        }
    }

    private var accessListItem: RLP {
        .list(
            accessList.map { entry in
                .list([
                    .bytes(entry.address.bytes),
                    .list(entry.storageKeys.map { .bytes($0.bytes) }),
                ])
            }
        )
    }

    /// The maximum price in wei of one unit of gas.
    public var maximumGasPrice: Wei { fee.maximum }

    /// The maximum tip for the block's producer, in wei per unit of gas.
    public var tipCap: Wei { fee.tip ?? fee.maximum }

    /// The most that it takes of its sender: gas and value; nil above 256 bits.
    public var maximumCost: Wei? {
        maximumGasPrice.multiplied(by: UInt256(gasLimit))?.adding(value)
    }
}

/// An address and its storage slots in a transaction's access list (EIP-2930).
public struct AccessListEntry: Hashable, Sendable {
    /// The contract.
    public let address: Address
    /// Its storage slots.
    public let storageKeys: [Bytes32]

    public init(address: Address, storageKeys: [Bytes32]) {
        self.address = address
        self.storageKeys = storageKeys
    }
}
