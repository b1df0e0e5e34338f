public import Ethereum

/// A call of the v1 exchange contract, or of a view of its transfer proxy.
///
/// The arrays of a batch are unchanged from the call data: the contract does not compare their
/// lengths, and neither does the decoder.
public enum ExchangeCallV1: Hashable, Sendable {
    /// The arrays that describe the orders of a batch.
    public struct Orders: Hashable, Sendable {
        public var addresses: [OrderAddressesV1]
        public var values: [OrderValuesV1]

        /// Arrays of any lengths.
        public init(addresses: [OrderAddressesV1], values: [OrderValuesV1]) {
            self.addresses = addresses
            self.values = values
        }

        /// The arrays of some orders.
        public init(_ terms: [OrderDraft]) {
            addresses = terms.map(OrderAddressesV1.init)
            values = terms.map(OrderValuesV1.init)
        }
    }

    /// The arrays of a batch's signatures.
    public struct Signatures: Hashable, Sendable {
        public var v: [UInt8]
        public var r: [Bytes32]
        public var s: [Bytes32]

        /// Arrays of any lengths.
        public init(v: [UInt8], r: [Bytes32], s: [Bytes32]) {
            self.v = v
            self.r = r
            self.s = s
        }

        /// The arrays of some signatures.
        public init(_ signatures: [Signature]) {
            v = signatures.map(\.v)
            r = signatures.map(\.r)
            s = signatures.map(\.s)
        }
    }

    case fillOrder(
        OrderAddressesV1,
        OrderValuesV1,
        fill: UInt256,
        shouldThrow: Bool,
        SignatureFieldsV1
    )
    case fillOrKillOrder(OrderAddressesV1, OrderValuesV1, fill: UInt256, SignatureFieldsV1)
    case fillOrdersUpTo(Orders, fill: UInt256, shouldThrow: Bool, Signatures)
    case batchFillOrders(Orders, fills: [UInt256], shouldThrow: Bool, Signatures)
    case batchFillOrKillOrders(Orders, fills: [UInt256], Signatures)
    case cancelOrder(OrderAddressesV1, OrderValuesV1, cancel: UInt256)
    case batchCancelOrders(Orders, cancels: [UInt256])
    case getOrderHash(OrderAddressesV1, OrderValuesV1)
    case isValidSignature(signer: Address, hash: Bytes32, SignatureFieldsV1)
    case filled(OrderHash)
    case cancelled(OrderHash)
    case getUnavailableTakerTokenAmount(OrderHash)
    case getPartialAmount(numerator: UInt256, denominator: UInt256, target: UInt256)
    case isRoundingError(numerator: UInt256, denominator: UInt256, target: UInt256)
    case zrxTokenContract
    case tokenTransferProxyContract
    case version
    case externalQueryGasLimit
    /// On the transfer proxy.
    case authorized(Address)
    /// On the transfer proxy.
    case getAuthorizedAddresses

    /// A function of the contracts, by its selector.
    public enum Function: UInt32, Hashable, Sendable, CaseIterable {
        case fillOrder = 0xbc61_394a
        case fillOrKillOrder = 0x741b_cc93
        case fillOrdersUpTo = 0x3633_49be
        case batchFillOrders = 0xb7b2_c7d6
        case batchFillOrKillOrders = 0x4f15_0787
        case cancelOrder = 0x394c_21e7
        case batchCancelOrders = 0xbaa0_181d
        case getOrderHash = 0xcfc4_d0ec
        case isValidSignature = 0x8163_681e
        case filled = 0x288c_dc91
        case cancelled = 0x2ac1_2622
        case getUnavailableTakerTokenAmount = 0x7e9a_bb50
        case getPartialAmount = 0x9802_4a8b
        case isRoundingError = 0x14df_96ee
        case zrxTokenContract = 0x3b30_ba59
        case tokenTransferProxyContract = 0xadd1_cbc5
        case version = 0xffa1_ad74
        case externalQueryGasLimit = 0xf06b_bf75
        case authorized = 0xb918_1611
        case getAuthorizedAddresses = 0xd39d_e6e9

        /// The signature that hashes to the selector.
        public var signature: String {
            switch self {
            case .fillOrder:
                "fillOrder(address[5],uint256[6],uint256,bool,uint8,bytes32,bytes32)"
            case .fillOrKillOrder:
                "fillOrKillOrder(address[5],uint256[6],uint256,uint8,bytes32,bytes32)"
            case .fillOrdersUpTo:
                "fillOrdersUpTo(address[5][],uint256[6][],uint256,bool,uint8[],bytes32[],"
                    + "bytes32[])"
            case .batchFillOrders:
                "batchFillOrders(address[5][],uint256[6][],uint256[],bool,uint8[],bytes32[],"
                    + "bytes32[])"
            case .batchFillOrKillOrders:
                "batchFillOrKillOrders(address[5][],uint256[6][],uint256[],uint8[],bytes32[],"
                    + "bytes32[])"
            case .cancelOrder: "cancelOrder(address[5],uint256[6],uint256)"
            case .batchCancelOrders: "batchCancelOrders(address[5][],uint256[6][],uint256[])"
            case .getOrderHash: "getOrderHash(address[5],uint256[6])"
            case .isValidSignature: "isValidSignature(address,bytes32,uint8,bytes32,bytes32)"
            case .filled: "filled(bytes32)"
            case .cancelled: "cancelled(bytes32)"
            case .getUnavailableTakerTokenAmount: "getUnavailableTakerTokenAmount(bytes32)"
            case .getPartialAmount: "getPartialAmount(uint256,uint256,uint256)"
            case .isRoundingError: "isRoundingError(uint256,uint256,uint256)"
            case .zrxTokenContract: "ZRX_TOKEN_CONTRACT()"
            case .tokenTransferProxyContract: "TOKEN_TRANSFER_PROXY_CONTRACT()"
            case .version: "VERSION()"
            case .externalQueryGasLimit: "EXTERNAL_QUERY_GAS_LIMIT()"
            case .authorized: "authorized(address)"
            case .getAuthorizedAddresses: "getAuthorizedAddresses()"
            }
        }

        /// The name before the parenthesis.
        ///
        /// Example: `ExchangeCallV1.Function.getPartialAmount.name` is `getPartialAmount`.
        public var name: String {
            String(signature.prefix { $0 != "(" })
        }
    }

    /// The function that is called.
    public var function: Function {
        switch self {
        case .fillOrder: .fillOrder
        case .fillOrKillOrder: .fillOrKillOrder
        case .fillOrdersUpTo: .fillOrdersUpTo
        case .batchFillOrders: .batchFillOrders
        case .batchFillOrKillOrders: .batchFillOrKillOrders
        case .cancelOrder: .cancelOrder
        case .batchCancelOrders: .batchCancelOrders
        case .getOrderHash: .getOrderHash
        case .isValidSignature: .isValidSignature
        case .filled: .filled
        case .cancelled: .cancelled
        case .getUnavailableTakerTokenAmount: .getUnavailableTakerTokenAmount
        case .getPartialAmount: .getPartialAmount
        case .isRoundingError: .isRoundingError
        case .zrxTokenContract: .zrxTokenContract
        case .tokenTransferProxyContract: .tokenTransferProxyContract
        case .version: .version
        case .externalQueryGasLimit: .externalQueryGasLimit
        case .authorized: .authorized
        case .getAuthorizedAddresses: .getAuthorizedAddresses
        }
    }
}
