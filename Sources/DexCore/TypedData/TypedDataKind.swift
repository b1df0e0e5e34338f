import DexSigning
import Ethereum
import ZeroEx

/// What typed data is, by its types and its contract.
package enum TypedDataKind: String, CaseIterable, Hashable, Sendable {
    case permit
    case permit2Allowance = "permit2-allowance"
    case permit2Transfer = "permit2-transfer"
    case transferAuthorization = "transfer-authorization"
    case limitOrder = "limit-order"
    case rfqOrder = "rfq-order"
    /// It takes a signature of `transferAuthorization` back.
    case cancelAuthorization = "cancel-authorization"
    /// A call of 0x's exchange that another account sends.
    case metaTransaction = "meta-transaction"
    /// A transaction of a contract that the account controls, or that another account sends.
    case relayedCall = "relayed-call"
    /// An order of Seaport.
    case seaportOrder = "seaport-order"
    /// An order of CoW Protocol, 1inch or 0x v2 and v3.
    case exchangeOrder = "exchange-order"
    /// It is about tokens, and what it does with them is not known.
    case movesTokens = "moves-tokens"
    case unknown

    /// What it does with tokens is read, or nothing.
    package var isRead: Bool {
        switch self {
        case .metaTransaction, .relayedCall, .exchangeOrder, .movesTokens, .unknown: false
        default: true
        }
    }
}

extension TypedDataKind {
    /// The kind of a message that allows what the grant says.
    init(_ grant: TypedGrant) {
        self = TypedDataKind(rawValue: grant.kind.rawValue) ?? .movesTokens
    }

    /// The kind by the exact text of the types, which the signature covers; nil for others.
    init?(type: String) {
        guard let kind = Self.types[type] else { return nil }
        self = kind
    }

    private static let offer =
        "OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,"
        + "uint256 endAmount)"
    private static let consideration =
        "ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,"
        + "uint256 startAmount,uint256 endAmount,address recipient)"
    private static let seaport =
        "OrderComponents(address offerer,address zone,OfferItem[] offer,"
        + "ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,"
        + "bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)"
    // Sources: EIP-3009; Seaport's type strings; 0x's MetaTransactionsFeature(V2) and v3's
    // ZeroExTransaction and Order; CoW Protocol's GPv2Order; 1inch's OrderLib; Safe's SafeTx; EIP-2771.
    private static let types: [String: TypedDataKind] = [
        "CancelAuthorization(address authorizer,bytes32 nonce)": .cancelAuthorization,
        seaport + consideration + offer: .seaportOrder,
        "MetaTransactionData(address signer,address sender,uint256 minGasPrice,"
            + "uint256 maxGasPrice,uint256 expirationTimeSeconds,uint256 salt,bytes callData,"
            + "uint256 value,address feeToken,uint256 feeAmount)": .metaTransaction,
        "MetaTransactionDataV2(address signer,address sender,uint256 expirationTimeSeconds,"
            + "uint256 salt,bytes callData,uint256 value,address feeToken,"
            + "MetaTransactionFeeData[] fees)"
            + "MetaTransactionFeeData(address recipient,uint256 amount)": .metaTransaction,
        "ZeroExTransaction(uint256 salt,uint256 expirationTimeSeconds,uint256 gasPrice,"
            + "address signerAddress,bytes data)": .metaTransaction,
        "ZeroExTransaction(uint256 salt,address signerAddress,bytes data)": .metaTransaction,
        "Order(address makerAddress,address takerAddress,address feeRecipientAddress,"
            + "address senderAddress,uint256 makerAssetAmount,uint256 takerAssetAmount,"
            + "uint256 makerFee,uint256 takerFee,uint256 expirationTimeSeconds,uint256 salt,"
            + "bytes makerAssetData,bytes takerAssetData,bytes makerFeeAssetData,"
            + "bytes takerFeeAssetData)": .exchangeOrder,
        "Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,"
            + "uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,"
            + "bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)":
            .exchangeOrder,
        "Order(uint256 salt,address maker,address receiver,address makerAsset,"
            + "address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)":
            .exchangeOrder,
        "SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,"
            + "uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,"
            + "uint256 nonce)": .relayedCall,
        "ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,"
            + "bytes data)": .relayedCall,
        "ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,"
            + "uint48 deadline,bytes data)": .relayedCall,
    ]

    /// Words in the names of structs and members that speak of tokens.
    private static let moneyWords = [
        "amount", "token", "permit", "approv", "allowance", "spender", "transfer", "order", "offer",
        "swap", "bid", "asset", "payment", "withdraw", "deposit", "consideration", "calldata",
        "metatx", "metatransaction", "execute", "price", "currency", "collection",
        // Who may act for the account: positions of lending protocols.
        "deleg", "authoriz", "manager", "operator", "borrow", "credit", "collateral",
    ]

    /// Whether the names of structs and members speak of tokens.
    static func speaksOfTokens(_ data: TypedData) -> Bool {
        let names = data.types.structures.flatMap { [$0.name] + $0.members.map(\.name) }
        return names.map { $0.lowercased() }
            .contains { name in moneyWords.contains { name.contains($0) } }
    }
}
