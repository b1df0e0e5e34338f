import Ethereum

extension ExchangeCallV1 {
    /// Reads call data: the one canonical encoding, with nothing behind it.
    ///
    /// - Throws: `ExchangeCallErrorV1`.
    public init(data: [UInt8]) throws(ExchangeCallErrorV1) {
        guard data.count >= 4,
            let function = Function(
                rawValue: data.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
            )
        else { throw .unknownFunction }
        var reader = CallDataReader(data: data, function: function)
        self = try Self.arguments(of: function, from: &reader)
        try reader.finish()
    }

    private static func arguments(
        of function: Function,
        from reader: inout CallDataReader
    ) throws(ExchangeCallErrorV1) -> ExchangeCallV1 {
        switch function {
        case .fillOrder:
            .fillOrder(
                try reader.addresses(),
                try reader.values(),
                fill: try reader.number(),
                shouldThrow: try reader.flag(),
                try reader.signature()
            )
        case .fillOrKillOrder:
            .fillOrKillOrder(
                try reader.addresses(),
                try reader.values(),
                fill: try reader.number(),
                try reader.signature()
            )
        case .fillOrdersUpTo, .batchFillOrders, .batchFillOrKillOrders, .batchCancelOrders:
            try batch(of: function, from: &reader)
        case .cancelOrder:
            .cancelOrder(
                try reader.addresses(),
                try reader.values(),
                cancel: try reader.number()
            )
        case .getOrderHash: .getOrderHash(try reader.addresses(), try reader.values())
        case .isValidSignature:
            .isValidSignature(
                signer: try reader.address(),
                hash: try reader.word(),
                try reader.signature()
            )
        case .filled: .filled(OrderHash(try reader.word()))
        case .cancelled: .cancelled(OrderHash(try reader.word()))
        case .getUnavailableTakerTokenAmount:
            .getUnavailableTakerTokenAmount(OrderHash(try reader.word()))
        case .getPartialAmount:
            .getPartialAmount(
                numerator: try reader.number(),
                denominator: try reader.number(),
                target: try reader.number()
            )
        case .isRoundingError:
            .isRoundingError(
                numerator: try reader.number(),
                denominator: try reader.number(),
                target: try reader.number()
            )
        case .zrxTokenContract: .zrxTokenContract
        case .tokenTransferProxyContract: .tokenTransferProxyContract
        case .version: .version
        case .externalQueryGasLimit: .externalQueryGasLimit
        case .authorized: .authorized(try reader.address())
        case .getAuthorizedAddresses: .getAuthorizedAddresses
        }
    }

    private static func batch(
        of function: Function,
        from reader: inout CallDataReader
    ) throws(ExchangeCallErrorV1) -> ExchangeCallV1 {
        let addresses = try reader.array(elementWords: 5) { reader throws(ExchangeCallErrorV1) in
            try reader.addresses()
        }
        let values = try reader.array(elementWords: 6) { reader throws(ExchangeCallErrorV1) in
            try reader.values()
        }
        let orders = Orders(addresses: addresses, values: values)
        switch function {
        case .fillOrdersUpTo:
            return .fillOrdersUpTo(
                orders,
                fill: try reader.number(),
                shouldThrow: try reader.flag(),
                try reader.signatures()
            )
        case .batchFillOrders:
            return .batchFillOrders(
                orders,
                fills: try reader.numbers(),
                shouldThrow: try reader.flag(),
                try reader.signatures()
            )
        case .batchFillOrKillOrders:
            return .batchFillOrKillOrders(
                orders,
                fills: try reader.numbers(),
                try reader.signatures()
            )
        default:
            return .batchCancelOrders(orders, cancels: try reader.numbers())
        }
    }
}

/// Reads arguments in their order; arrays must lie behind the head one after the other without
/// gaps, as every encoder writes them.
private struct CallDataReader {
    private let data: [UInt8]
    private let function: ExchangeCallV1.Function
    /// Byte positions behind the selector.
    private var head = 0
    private var tail: Int?

    init(data: [UInt8], function: ExchangeCallV1.Function) {
        self.data = data
        self.function = function
    }

    private var malformed: ExchangeCallErrorV1 {
        .malformedArguments(function.name)
    }

    private var size: Int { data.count - 4 }

    private func word(at position: Int) throws(ExchangeCallErrorV1) -> Bytes32 {
        guard position >= 0, position <= size - 32,
            let word = Bytes32(bytes: data[(4 + position)..<(36 + position)])
        else { throw malformed }
        return word
    }

    mutating func word() throws(ExchangeCallErrorV1) -> Bytes32 {
        let word = try word(at: head)
        head += 32
        return word
    }

    mutating func number() throws(ExchangeCallErrorV1) -> UInt256 {
        UInt256(try word())
    }

    mutating func address() throws(ExchangeCallErrorV1) -> Address {
        let word = try word()
        let address = Address(truncating: word)
        guard address.word == word else { throw malformed }
        return address
    }

    mutating func flag() throws(ExchangeCallErrorV1) -> Bool {
        switch try number() {
        case 0: return false
        case 1: return true
        default: throw malformed
        }
    }

    mutating func byte() throws(ExchangeCallErrorV1) -> UInt8 {
        guard let value = try number().uint64, value <= 255 else { throw malformed }
        return UInt8(value)
    }

    mutating func addresses() throws(ExchangeCallErrorV1) -> OrderAddressesV1 {
        OrderAddressesV1(
            maker: try address(),
            taker: try address(),
            makerToken: try address(),
            takerToken: try address(),
            feeRecipient: try address()
        )
    }

    mutating func values() throws(ExchangeCallErrorV1) -> OrderValuesV1 {
        OrderValuesV1(
            makerAmount: try number(),
            takerAmount: try number(),
            makerFee: try number(),
            takerFee: try number(),
            expiry: try number(),
            salt: try number()
        )
    }

    mutating func signature() throws(ExchangeCallErrorV1) -> SignatureFieldsV1 {
        SignatureFieldsV1(v: try byte(), r: try word(), s: try word())
    }

    mutating func numbers() throws(ExchangeCallErrorV1) -> [UInt256] {
        try array(elementWords: 1) { reader throws(ExchangeCallErrorV1) in try reader.number() }
    }

    mutating func signatures() throws(ExchangeCallErrorV1) -> ExchangeCallV1.Signatures {
        ExchangeCallV1.Signatures(
            v: try array(elementWords: 1) { reader throws(ExchangeCallErrorV1) in
                try reader.byte()
            },
            r: try array(elementWords: 1) { reader throws(ExchangeCallErrorV1) in
                try reader.word()
            },
            s: try array(elementWords: 1) { reader throws(ExchangeCallErrorV1) in
                try reader.word()
            }
        )
    }

    /// The array whose offset is next in the head; its length is bounded by the bytes there are.
    mutating func array<Element>(
        elementWords: Int,
        _ element: (inout CallDataReader) throws(ExchangeCallErrorV1) -> Element
    ) throws(ExchangeCallErrorV1) -> [Element] {
        guard let offset = try number().uint64, offset == UInt64(tail ?? headSize),
            let start = Int(exactly: offset)
        else { throw malformed }
        guard let length = UInt256(try word(at: start)).uint64,
            length <= UInt64((size - start - 32) / (32 * elementWords))
        else { throw malformed }
        let returnHere = head
        head = start + 32
        var elements: [Element] = []
        elements.reserveCapacity(Int(length))
        for _ in 0..<length { elements.append(try element(&self)) }
        tail = head
        head = returnHere
        return elements
    }

    /// All arguments were read: nothing may be left over.
    func finish() throws(ExchangeCallErrorV1) {
        guard size == tail ?? head else { throw malformed }
    }

    /// The bytes before the first array.
    private var headSize: Int {
        switch function {
        case .fillOrdersUpTo, .batchFillOrders: 7 * 32
        case .batchFillOrKillOrders: 6 * 32
        case .batchCancelOrders: 3 * 32
        default: 0
        }
    }
}
