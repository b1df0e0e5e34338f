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
/// Sources: EIP-155 (legacy), EIP-2930 (type 1), EIP-1559 (type 2).
public struct Transaction: Hashable, Sendable {
    /// The transaction type with its fee fields; prices are wei per unit of gas.
    public enum Fee: Hashable, Sendable {
        /// Legacy: one gas price.
        case legacy(gasPrice: Wei)
        /// Type 1, EIP-2930: one gas price and an access list.
        case accessList(gasPrice: Wei)
        /// Type 2, EIP-1559: the maximum total price per gas, and the maximum tip within it.
        case dynamic(maxFeePerGas: Wei, maxPriorityFeePerGas: Wei)
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

    public init(
        chainID: UInt64?,
        nonce: UInt64,
        fee: Fee,
        gasLimit: UInt64,
        to: Address?,
        value: Wei = .zero,
        data: [UInt8] = [],
        accessList: [AccessListEntry] = []
    ) {
        self.chainID = chainID
        self.nonce = nonce
        self.fee = fee
        self.gasLimit = gasLimit
        self.to = to
        self.value = value
        self.data = data
        self.accessList = accessList
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
    var typePrefix: [UInt8] {
        switch fee {
        case .legacy: []
        case .accessList: [1]
        case .dynamic: [2]
        }
    }

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
            return [chainID, nonce] + prices + rest + [accessListItem]
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
    public var maximumGasPrice: Wei {
        switch fee {
        case .legacy(let gasPrice), .accessList(let gasPrice): gasPrice
        case .dynamic(let maxFeePerGas, _): maxFeePerGas
        }
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
