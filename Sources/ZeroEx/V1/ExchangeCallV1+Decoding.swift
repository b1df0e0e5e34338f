import Ethereum

extension ExchangeCallV1 {
    /// Reads call data: the one canonical encoding, with nothing after it.
    ///
    /// - Throws: `ExchangeCallError`.
    public init(data: [UInt8]) throws(ExchangeCallError) {
        guard let function = data.selector.flatMap(Function.init(rawValue:)) else {
            throw .unknownFunction(.v1)
        }
        do throws(MalformedContractData) {
            var reader = ContractDataReader(data[4...], headWords: function.headWords)
            self = try Self.arguments(of: function, from: &reader)
            try reader.finish()
        } catch {
            throw .malformedArguments(function.name)
        }
    }

    private static func arguments(
        of function: Function,
        from reader: inout ContractDataReader
    ) throws(MalformedContractData) -> ExchangeCallV1 {
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
        from reader: inout ContractDataReader
    ) throws(MalformedContractData) -> ExchangeCallV1 {
        let addresses = try reader.array(elementWords: 5) { reader throws(MalformedContractData) in
            try reader.addresses()
        }
        let values = try reader.array(elementWords: 6) { reader throws(MalformedContractData) in
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

extension ExchangeCallV1.Function {
    /// The words before the first array.
    fileprivate var headWords: Int {
        switch self {
        case .fillOrdersUpTo, .batchFillOrders: 7
        case .batchFillOrKillOrders: 6
        case .batchCancelOrders: 3
        default: 0
        }
    }
}

extension ContractDataReader {
    fileprivate mutating func addresses() throws(MalformedContractData) -> OrderAddressesV1 {
        OrderAddressesV1(
            maker: try address(),
            taker: try address(),
            makerToken: try address(),
            takerToken: try address(),
            feeRecipient: try address()
        )
    }

    fileprivate mutating func values() throws(MalformedContractData) -> OrderValuesV1 {
        OrderValuesV1(
            makerAmount: try number(),
            takerAmount: try number(),
            makerFee: try number(),
            takerFee: try number(),
            expiry: try number(),
            salt: try number()
        )
    }

    fileprivate mutating func signature() throws(MalformedContractData) -> SignatureFieldsV1 {
        SignatureFieldsV1(v: try byte(), r: try word(), s: try word())
    }

    fileprivate mutating func signatures() throws(MalformedContractData)
        -> ExchangeCallV1.Signatures
    {
        ExchangeCallV1.Signatures(
            v: try array(elementWords: 1) { reader throws(MalformedContractData) in
                try reader.byte()
            },
            r: try array(elementWords: 1) { reader throws(MalformedContractData) in
                try reader.word()
            },
            s: try array(elementWords: 1) { reader throws(MalformedContractData) in
                try reader.word()
            }
        )
    }
}
