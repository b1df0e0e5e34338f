import Ethereum

@testable import ZeroEx

extension FuzzTarget {
    /// Call data of the 0x v1 contracts: our reader of it and the general one of the contract ABI
    /// take the same, and what was read is written again byte for byte.
    static let exchangeCall = FuzzTarget(
        "exchange-call",
        maximumLength: 4_096,
        seeds: ExchangeTarget.calls
    ) { input in
        let call = try? ExchangeCallV1(data: input)
        if let call {
            try requireEqual(call.data, input, "a call is not written as it was read")
        }
        let selector = input.prefix(4)
        guard selector.count == 4,
            let function = ExchangeCallV1.Function(
                rawValue: selector.reduce(0) { $0 << 8 | UInt32($1) }
            )
        else {
            try require(call == nil, "a call of no function was read")
            return
        }
        let general = try ABIFunction(function.signature)
        try requireEqual(general.selector, Array(selector), "a selector is that of its signature")
        let values = try? general.decodeArguments(input)
        try requireEqual(
            call != nil,
            values != nil,
            "the reader of \(function.name) and that of the ABI disagree on what is well-formed"
        )
        if let call { try requireEqual(call.function, function, "the function that is called") }
    }

    /// Events of the 0x v1 contracts: what was read is written again as it was.
    static let exchangeLog = FuzzTarget(
        "exchange-log",
        maximumLength: 1_024,
        seeds: ExchangeTarget.logs
    ) { input in
        var reader = InputReader(input)
        let kind = reader.byte()
        var topics: [Bytes32] = []
        switch kind & 3 {
        case 0: topics.append(ExchangeLogV1.fillTopic)
        case 1: topics.append(ExchangeLogV1.cancelTopic)
        case 2: topics.append(ExchangeLogV1.errorTopic)
        default: break
        }
        for _ in 0..<(Int(kind >> 2) & 7) {
            let bytes = reader.bytes(32)
            topics.append(
                Bytes32(bytes: Array(repeating: 0, count: 32 - bytes.count) + bytes) ?? .zero
            )
        }
        let data = reader.rest()
        // No mutation finds a hash: the pair's topic is put right where there is a place for it.
        if kind & 0x20 != 0, topics.count == 4, data.count >= 96 {
            let first = kind & 3 == 0 ? 32 : 0
            let tokens = [data[first..<first + 32], data[first + 32..<first + 64]]
                .compactMap { Bytes32(bytes: $0) }.map { Address(truncating: $0) }
            topics[3] = ExchangeLogV1.tokensTopic(makerToken: tokens[0], takerToken: tokens[1])
        }
        guard let log = try? ExchangeLogV1(topics: topics, data: data) else { return }
        try requireEqual(log.encoded.topics, topics, "an event's topics are not as they were read")
        try requireEqual(log.encoded.data, data, "an event's data is not as it was read")
    }
}

private enum ExchangeTarget {
    private static func order(_ salt: UInt64) -> OrderDraft {
        SampleOrders.draft(salt: salt)
    }

    @Sendable
    static func calls() throws -> [[UInt8]] {
        let terms = order(1)
        let addresses = OrderAddressesV1(terms)
        let values = OrderValuesV1(terms)
        let signature = SignatureFieldsV1(v: 27, r: UInt256(5).word, s: UInt256(6).word)
        let orders = ExchangeCallV1.Orders([order(1), order(2)])
        let signatures = ExchangeCallV1.Signatures(
            v: [27, 28],
            r: [UInt256(5).word, .zero],
            s: [UInt256(6).word, .zero]
        )
        let hash = OrderHash(UInt256(77).word)
        let calls: [ExchangeCallV1] = [
            .fillOrder(addresses, values, fill: 9, shouldThrow: true, signature),
            .fillOrKillOrder(addresses, values, fill: 9, signature),
            .fillOrdersUpTo(orders, fill: 9, shouldThrow: false, signatures),
            .batchFillOrders(orders, fills: [1, 2], shouldThrow: false, signatures),
            .batchFillOrKillOrders(orders, fills: [1, 2], signatures),
            .cancelOrder(addresses, values, cancel: 3),
            .batchCancelOrders(orders, cancels: [3, 4]),
            .batchCancelOrders(.init([]), cancels: []),
            .getOrderHash(addresses, values),
            .isValidSignature(signer: terms.maker, hash: hash.word, signature),
            .filled(hash), .cancelled(hash), .getUnavailableTakerTokenAmount(hash),
            .getPartialAmount(numerator: 1, denominator: 2, target: 3),
            .isRoundingError(numerator: 1, denominator: 2, target: 3), .zrxTokenContract,
            .tokenTransferProxyContract, .version, .externalQueryGasLimit,
            .authorized(terms.exchange), .getAuthorizedAddresses,
        ]
        return calls.map(\.data)
    }

    @Sendable
    static func logs() throws -> [[UInt8]] {
        let terms = order(1)
        let events: [ExchangeLogV1] = [
            .fill(
                FillEvent(
                    orderHash: OrderHash(UInt256(77).word),
                    maker: terms.maker,
                    taker: terms.taker,
                    feeRecipient: .zero,
                    makerToken: terms.makerToken,
                    takerToken: terms.takerToken,
                    makerAmount: 1,
                    takerAmount: 2,
                    makerFee: 3,
                    takerFee: 4
                )
            ),
            .cancel(
                .init(
                    event: CancelEvent(
                        orderHash: OrderHash(UInt256(77).word),
                        maker: terms.maker,
                        makerToken: terms.makerToken,
                        takerToken: terms.takerToken,
                        makerAmount: 1,
                        takerAmount: 2
                    ),
                    feeRecipient: .zero
                )
            ),
            .error(.roundingError, OrderHash(UInt256(77).word)),
        ]
        return events.enumerated().map { index, event in
            let (topics, data) = event.encoded
            let kind = UInt8(index) | UInt8(topics.count - 1) << 2 | 0x20
            return [kind] + topics.dropFirst().flatMap(\.bytes) + data
        }
    }
}
