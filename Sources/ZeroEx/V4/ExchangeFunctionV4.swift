/// A function of the v4 contract, by its selector.
public enum ExchangeFunctionV4: UInt32, Hashable, Sendable, CaseIterable {
    case fillLimitOrder = 0xf627_4f66
    case fillRfqOrder = 0xaa77_476c
    case fillOrKillLimitOrder = 0x9240_529c
    case fillOrKillRfqOrder = 0x438c_dfc5
    case batchFillLimitOrders = 0x1baa_a00b
    case batchFillRfqOrders = 0x7510_3cb9
    case cancelLimitOrder = 0x7d49_ec1a
    case cancelRfqOrder = 0xfe55_a3ef
    case batchCancelLimitOrders = 0x9baa_45a8
    case batchCancelRfqOrders = 0xf6e0_f6a5
    case cancelPairLimitOrders = 0xd0a5_5fb0
    case cancelPairRfqOrders = 0x9a4f_809c
    case batchCancelPairLimitOrders = 0x86a0_c8d7
    case batchCancelPairRfqOrders = 0x0f0e_8cf7
    case cancelPairLimitOrdersWithSigner = 0xb10a_33f4
    case cancelPairRfqOrdersWithSigner = 0x935c_82a4
    case getLimitOrderInfo = 0x9548_0889
    case getRfqOrderInfo = 0x3466_93c5
    case getLimitOrderRelevantState = 0x1fb0_9795
    case getRfqOrderRelevantState = 0x37f3_81d8
    case batchGetLimitOrderRelevantStates = 0xb465_8bfb
    case batchGetRfqOrderRelevantStates = 0xad35_4eeb
    case getLimitOrderHash = 0xdd11_d225
    case getRfqOrderHash = 0x016a_6d65
    case getProtocolFeeMultiplier = 0x487b_5c20
    case registerAllowedRfqOrigins = 0xb09f_1fb1
    case registerAllowedOrderSigner = 0xea7f_aa61
    case isValidOrderSigner = 0x6b52_a4a8

    /// The function for a verb and a kind of order.
    public init(_ verb: OrderVerbV4, _ kind: NativeOrderKindV4) {
        let isLimit = kind == .limit
        self =
            switch verb {
            case .fill: isLimit ? .fillLimitOrder : .fillRfqOrder
            case .fillOrKill: isLimit ? .fillOrKillLimitOrder : .fillOrKillRfqOrder
            case .batchFill: isLimit ? .batchFillLimitOrders : .batchFillRfqOrders
            case .cancel: isLimit ? .cancelLimitOrder : .cancelRfqOrder
            case .batchCancel: isLimit ? .batchCancelLimitOrders : .batchCancelRfqOrders
            case .cancelPair: isLimit ? .cancelPairLimitOrders : .cancelPairRfqOrders
            case .batchCancelPair:
                isLimit ? .batchCancelPairLimitOrders : .batchCancelPairRfqOrders
            case .cancelPairWithSigner:
                isLimit ? .cancelPairLimitOrdersWithSigner : .cancelPairRfqOrdersWithSigner
            case .info: isLimit ? .getLimitOrderInfo : .getRfqOrderInfo
            case .relevantState:
                isLimit ? .getLimitOrderRelevantState : .getRfqOrderRelevantState
            case .batchRelevantStates:
                isLimit ? .batchGetLimitOrderRelevantStates : .batchGetRfqOrderRelevantStates
            case .hash: isLimit ? .getLimitOrderHash : .getRfqOrderHash
            }
    }

    /// Its verb and kind of order; nil if it is not about an order.
    public var orderCall: (verb: OrderVerbV4, kind: NativeOrderKindV4)? {
        for kind in NativeOrderKindV4.allCases {
            for verb in OrderVerbV4.allCases where Self(verb, kind) == self {
                return (verb, kind)
            }
        }
        return nil
    }

    /// The name before the parenthesis.
    public var name: String {
        String(describing: self)
    }

    /// The signature that hashes to the selector.
    ///
    /// Example: `ExchangeFunctionV4.registerAllowedOrderSigner.signature` is
    /// `registerAllowedOrderSigner(address,bool)`.
    public var signature: String {
        guard let (verb, kind) = orderCall else {
            switch self {
            case .registerAllowedRfqOrigins: return "\(name)(address[],bool)"
            case .registerAllowedOrderSigner: return "\(name)(address,bool)"
            case .isValidOrderSigner: return "\(name)(address,address)"
            default: return "\(name)()"
            }
        }
        let order = kind == .limit ? Self.limitOrder : Self.rfqOrder
        let arguments =
            switch verb {
            case .fill, .fillOrKill: "\(order),\(Self.orderSignature),uint128"
            case .batchFill: "\(order)[],\(Self.orderSignature)[],uint128[],bool"
            case .cancel, .info, .hash: order
            case .batchCancel: "\(order)[]"
            case .cancelPair: "address,address,uint256"
            case .batchCancelPair: "address[],address[],uint256[]"
            case .cancelPairWithSigner: "address,address,address,uint256"
            case .relevantState: "\(order),\(Self.orderSignature)"
            case .batchRelevantStates: "\(order)[],\(Self.orderSignature)[]"
            }
        return "\(name)(\(arguments))"
    }

    private static let limitOrder =
        "(address,address,uint128,uint128,uint128,address,address,address,address,bytes32,uint64,"
        + "uint256)"
    private static let rfqOrder =
        "(address,address,uint128,uint128,address,address,address,bytes32,uint64,uint256)"
    private static let orderSignature = "(uint8,uint8,bytes32,bytes32)"
}
