import Ethereum
import ZeroEx

/// Reads call data like the Exchange Proxy, and other contracts of its time.
///
/// Arrays may be anywhere, extra data may follow, and a value outside its type reverts without
/// data. It is written from the contract's interface and not from the codec of ZeroEx, so that each
/// reveals the other's mistakes.
struct ProxyCalldata {
    private let calldata: CalldataReader
    /// The start of the next word; offsets count from after the selector.
    private var position = 4

    init(_ data: [UInt8]) {
        calldata = CalldataReader(bytes: data)
    }

    mutating func word() throws(CallFailure) -> Bytes32 {
        guard position <= calldata.bytes.count - 32 else { throw .revert([]) }
        defer { position += 32 }
        return calldata.word(at: position)
    }

    mutating func number() throws(CallFailure) -> UInt256 {
        UInt256(try word())
    }

    /// A number of fewer bits, which its decoder checks.
    mutating func number(bits: Int) throws(CallFailure) -> UInt256 {
        let number = try number()
        guard number >> bits == .zero else { throw .revert([]) }
        return number
    }

    mutating func uint128() throws(CallFailure) -> UInt128 {
        try checked(number().uint128)
    }

    mutating func uint64() throws(CallFailure) -> UInt64 {
        try checked(number().uint64)
    }

    mutating func uint8() throws(CallFailure) -> UInt8 {
        try checked(UInt8(exactly: uint64()))
    }

    mutating func flag() throws(CallFailure) -> Bool {
        switch try number() {
        case 0: return false
        case 1: return true
        default: throw .revert([])
        }
    }

    mutating func address() throws(CallFailure) -> Address {
        try checked(Address(ifWord: try word()))
    }

    /// The array at the next offset, with elements of a fixed number of words; bounded by the call
    /// data.
    mutating func array<Element>(
        words: Int = 1,
        _ element: (inout ProxyCalldata) throws(CallFailure) -> Element
    ) throws(CallFailure) -> [Element] {
        let size = calldata.bytes.count - 4
        let start = try checked(Int(exactly: uint64()))
        guard start <= size - 32 else { throw .revert([]) }
        let most = (size - start - 32) / (32 * words)
        let length = try checked(UInt256(calldata.word(at: 4 + start)).uint64)
        guard length <= UInt64(most) else { throw .revert([]) }
        let back = position
        position = 4 + start + 32
        defer { position = back }
        var elements: [Element] = []
        elements.reserveCapacity(Int(length))
        for _ in 0..<length { elements.append(try element(&self)) }
        return elements
    }

    /// The byte string at the next offset; bounded by the call data.
    mutating func byteString() throws(CallFailure) -> [UInt8] {
        let size = calldata.bytes.count - 4
        let start = try checked(Int(exactly: uint64()))
        guard start <= size - 32 else { throw .revert([]) }
        let length = try checked(UInt256(calldata.word(at: 4 + start)).uint64)
        guard length <= UInt64(size - start - 32) else { throw .revert([]) }
        return Array(calldata.bytes[(4 + start + 32)...].prefix(Int(length)))
    }

    mutating func addresses() throws(CallFailure) -> [Address] {
        try array { input throws(CallFailure) in try input.address() }
    }

    mutating func pair() throws(CallFailure) -> PairCancelV4 {
        PairCancelV4(
            makerToken: try address(),
            takerToken: try address(),
            minValidSalt: try number()
        )
    }

    /// `(uint8 signatureType, uint8 v, bytes32 r, bytes32 s)`.
    mutating func signature() throws(CallFailure) -> SignatureV4 {
        SignatureV4(type: try uint8(), v: try uint8(), r: try word(), s: try word())
    }

    mutating func signatures() throws(CallFailure) -> [SignatureV4] {
        try array(words: 4) { input throws(CallFailure) in try input.signature() }
    }

    mutating func orders<Order: SettledOrderV4>() throws(CallFailure) -> [Order] {
        try array(words: Order.members) { input throws(CallFailure) in try Order(&input) }
    }

    private func checked<Value>(_ value: Value?) throws(CallFailure) -> Value {
        guard let value else { throw .revert([]) }
        return value
    }
}

extension ExchangeCallV4 {
    /// The call of a function with the arguments in its call data.
    ///
    /// - Throws: a revert without data if an argument is malformed.
    init(_ function: ExchangeFunctionV4, calldata: [UInt8]) throws(CallFailure) {
        var input = ProxyCalldata(calldata)
        switch function.orderCall {
        case (let verb, .limit)?: self = .limit(try OrderCallV4(verb, &input))
        case (let verb, .rfq)?: self = .rfq(try OrderCallV4(verb, &input))
        case nil:
            switch function {
            case .registerAllowedRfqOrigins:
                self = .registerAllowedRfqOrigins(
                    try input.addresses(),
                    allowed: try input.flag()
                )
            case .registerAllowedOrderSigner:
                self = .registerAllowedOrderSigner(
                    try input.address(),
                    allowed: try input.flag()
                )
            case .isValidOrderSigner:
                self = .isValidOrderSigner(
                    maker: try input.address(),
                    signer: try input.address()
                )
            default: self = .getProtocolFeeMultiplier
            }
        }
    }
}

extension OrderCallV4 where Order: SettledOrderV4 {
    fileprivate init(_ verb: OrderVerbV4, _ input: inout ProxyCalldata) throws(CallFailure) {
        switch verb {
        case .fill:
            self = .fill(try Order(&input), try input.signature(), amount: try input.uint128())
        case .fillOrKill:
            self = .fillOrKill(
                try Order(&input),
                try input.signature(),
                amount: try input.uint128()
            )
        case .batchFill:
            self = .batchFill(
                try input.orders(),
                try input.signatures(),
                amounts: try input.array { input throws(CallFailure) in try input.uint128() },
                revertIfIncomplete: try input.flag()
            )
        case .cancel: self = .cancel(try Order(&input))
        case .batchCancel: self = .batchCancel(try input.orders())
        case .cancelPair: self = .cancelPair(try input.pair())
        case .batchCancelPair:
            self = .batchCancelPair(
                makerTokens: try input.addresses(),
                takerTokens: try input.addresses(),
                minValidSalts: try input.array { input throws(CallFailure) in try input.number() }
            )
        case .cancelPairWithSigner:
            self = .cancelPairWithSigner(maker: try input.address(), try input.pair())
        case .info: self = .info(try Order(&input))
        case .relevantState:
            self = .relevantState(try Order(&input), try input.signature())
        case .batchRelevantStates:
            self = .batchRelevantStates(try input.orders(), try input.signatures())
        case .hash: self = .hash(try Order(&input))
        }
    }
}
