public import Ethereum

/// The v4 contract's status of an order.
///
/// The contract checks in this order: invalid, filled, cancelled by hash, expired, cancelled by
/// pair.
public enum OrderStatusV4: UInt8, Hashable, Sendable, CaseIterable {
    /// An RFQ order without an origin; a batch also returns this for a malformed signature.
    case invalid = 0
    case fillable = 1
    case filled = 2
    case cancelled = 3
    case expired = 4

    /// The status in words, as in "the order is …".
    public var words: String {
        switch self {
        case .invalid: "invalid"
        case .fillable: "fillable"
        case .filled: "filled"
        case .cancelled: "cancelled"
        case .expired: "expired"
        }
    }
}

/// The answer of `getLimitOrderInfo`.
public struct OrderInfoV4: Hashable, Sendable {
    public let orderHash: OrderHash
    public let status: OrderStatusV4
    /// Filled base units of taker token; a cancel does not change them.
    public let filled: UInt128

    /// An answer from its parts.
    public init(orderHash: OrderHash, status: OrderStatusV4, filled: UInt128) {
        self.orderHash = orderHash
        self.status = status
        self.filled = filled
    }

    var words: [Bytes32] {
        [orderHash.word, UInt256(UInt64(status.rawValue)).word, UInt256(filled).word]
    }
}

/// The answer of `getLimitOrderRelevantState`.
public struct OrderRelevantStateV4: Hashable, Sendable {
    public let info: OrderInfoV4
    /// Base units of taker token that the maker's funds allow to fill; the taker's own funds are
    /// not checked.
    public let fillable: UInt128
    /// The maker, or the maker's registered signer, signed the order.
    public let isSignatureValid: Bool

    /// An answer from its parts.
    public init(info: OrderInfoV4, fillable: UInt128, isSignatureValid: Bool) {
        self.info = info
        self.fillable = fillable
        self.isSignatureValid = isSignatureValid
    }
}

/// The return values of a fill: taker amount first, unlike v1.
public struct FillAmountsV4: Hashable, Sendable {
    /// Base units of taker token; zero if nothing moved, although the call succeeded.
    public let taker: UInt128
    /// Base units of maker token.
    public let maker: UInt128

    /// Two amounts.
    public init(taker: UInt128, maker: UInt128) {
        self.taker = taker
        self.maker = maker
    }
}

/// The return values of the v4 contract's functions, by function name.
public enum ExchangeAnswerV4: Hashable, Sendable {
    /// `fillLimitOrder`, `fillRfqOrder`.
    case fill(FillAmountsV4)
    /// `fillOrKillLimitOrder`, `fillOrKillRfqOrder`: base units of maker token.
    case fillOrKill(UInt128)
    /// `batchFillLimitOrders`, `batchFillRfqOrders`: zeros for a skipped order.
    case batchFill([FillAmountsV4])
    /// Cancels and registrations.
    case nothing
    case info(OrderInfoV4)
    case relevantState(OrderRelevantStateV4)
    /// All zero if the order's signature is malformed.
    case batchRelevantStates([OrderRelevantStateV4])
    case hash(OrderHash)
    case protocolFeeMultiplier(UInt32)
    case isValidOrderSigner(Bool)

    /// The returned bytes.
    public var data: [UInt8] {
        var writer = ContractDataWriter()
        switch self {
        case .fill(let amounts):
            writer.put(UInt256(amounts.taker))
            writer.put(UInt256(amounts.maker))
        case .fillOrKill(let amount): writer.put(UInt256(amount))
        case .batchFill(let fills):
            writer.put(array: fills.map { UInt256($0.taker).word })
            writer.put(array: fills.map { UInt256($0.maker).word })
        case .nothing: break
        case .info(let info): writer.put(info.words)
        case .relevantState(let state):
            writer.put(state.info.words)
            writer.put(UInt256(state.fillable))
            writer.put(state.isSignatureValid)
        case .batchRelevantStates(let states):
            writer.put(array: states.flatMap(\.info.words), count: states.count)
            writer.put(array: states.map { UInt256($0.fillable).word })
            writer.put(array: states.map { ContractDataWriter.word($0.isSignatureValid) })
        case .hash(let hash): writer.put([hash.word])
        case .protocolFeeMultiplier(let multiplier): writer.put(UInt256(UInt64(multiplier)))
        case .isValidOrderSigner(let flag): writer.put(flag)
        }
        return writer.finished
    }

    /// Reads the return value of a function.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`.
    public init(_ data: [UInt8], of function: ExchangeFunctionV4) throws(ExchangeError) {
        do throws(MalformedContractData) {
            var reader = ContractDataReader(data[...], headWords: Self.headWords(of: function))
            self = try Self.read(&reader, of: function)
            try reader.finish()
        } catch {
            throw .unreadableAnswer("\(data.count) bytes returned by \(function.name)")
        }
    }

    private static func headWords(of function: ExchangeFunctionV4) -> Int {
        switch function.orderCall?.verb {
        case .batchFill?: 2
        case .batchRelevantStates?: 3
        default: 0
        }
    }

    private static func read(
        _ reader: inout ContractDataReader,
        of function: ExchangeFunctionV4
    ) throws(MalformedContractData) -> ExchangeAnswerV4 {
        guard let verb = function.orderCall?.verb else {
            switch function {
            case .getProtocolFeeMultiplier:
                guard let number = try reader.number().uint64,
                    let multiplier = UInt32(exactly: number)
                else { throw MalformedContractData() }
                return .protocolFeeMultiplier(multiplier)
            case .isValidOrderSigner: return .isValidOrderSigner(try reader.flag())
            default: return .nothing
            }
        }
        switch verb {
        case .fill:
            return .fill(try reader.fillAmounts())
        case .fillOrKill: return .fillOrKill(try reader.uint128())
        case .batchFill:
            let takers = try reader.uint128List()
            let makers = try reader.uint128List()
            guard takers.count == makers.count else { throw MalformedContractData() }
            return .batchFill(zip(takers, makers).map { FillAmountsV4(taker: $0, maker: $1) })
        case .cancel, .batchCancel, .cancelPair, .batchCancelPair, .cancelPairWithSigner:
            return .nothing
        case .info: return .info(try reader.orderInfo())
        case .relevantState:
            return .relevantState(
                OrderRelevantStateV4(
                    info: try reader.orderInfo(),
                    fillable: try reader.uint128(),
                    isSignatureValid: try reader.flag()
                )
            )
        case .batchRelevantStates: return .batchRelevantStates(try states(&reader))
        case .hash: return .hash(OrderHash(try reader.word()))
        }
    }

    private static func states(
        _ reader: inout ContractDataReader
    ) throws(MalformedContractData) -> [OrderRelevantStateV4] {
        let infos = try reader.array(elementWords: 3) { reader throws(MalformedContractData) in
            try reader.orderInfo()
        }
        let fillable = try reader.uint128List()
        let valid = try reader.array(elementWords: 1) { reader throws(MalformedContractData) in
            try reader.flag()
        }
        guard infos.count == fillable.count, infos.count == valid.count else {
            throw MalformedContractData()
        }
        return infos.indices.map { index in
            OrderRelevantStateV4(
                info: infos[index],
                fillable: fillable[index],
                isSignatureValid: valid[index]
            )
        }
    }
}

extension ContractDataReader {
    fileprivate mutating func orderInfo() throws(MalformedContractData) -> OrderInfoV4 {
        let hash = OrderHash(try word())
        guard let status = OrderStatusV4(rawValue: try byte()) else {
            throw MalformedContractData()
        }
        return OrderInfoV4(orderHash: hash, status: status, filled: try uint128())
    }
}
