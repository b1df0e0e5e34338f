import Ethereum

@testable import ZeroEx

extension FuzzTarget {
    /// Call data of the 0x v4 contract: our reader of it and the general one of the contract ABI
    /// take the same, and what was read is written again byte for byte.
    static let exchangeCallV4 = FuzzTarget(
        "exchange-call-v4",
        maximumLength: 4_096,
        seeds: ExchangeV4Target.calls
    ) { input in
        let call = try? ExchangeCallV4(data: input)
        if let call {
            try requireEqual(call.data, input, "a call is not written as it was read")
        }
        let selector = input.prefix(4)
        guard selector.count == 4,
            let function = ExchangeFunctionV4(
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

    /// Events of the 0x v4 contract: our reader and the general one of the ABI take the same.
    static let exchangeLogV4 = FuzzTarget(
        "exchange-log-v4",
        maximumLength: 1_024,
        seeds: ExchangeV4Target.logs
    ) { input in
        var reader = InputReader(input)
        let kinds = ExchangeLogV4.Kind.allCases
        let kind = kinds[reader.number(below: kinds.count)]
        let data = reader.rest()
        let log = try? ExchangeLogV4(topics: [kind.topic], data: data)
        let types = try ABIFunction(kind.rawValue).inputs
        try requireEqual(
            log != nil,
            (try? ABI.decode(data, as: types)) != nil,
            "the reader of \(kind.rawValue) and that of the ABI disagree on what is well-formed"
        )
        guard let log else { return }
        try requireEqual(log.encoded.topics, [kind.topic], "an event's topic")
        try requireEqual(log.encoded.data, data, "an event's data is not as it was read")
    }

    /// What the 0x v4 contract returns and why it reverts: written again as it was read, never
    /// taken where the general reader of the ABI refuses, and told in one bounded sentence.
    static let exchangeAnswerV4 = FuzzTarget(
        "exchange-answer-v4",
        maximumLength: 2_048,
        seeds: ExchangeV4Target.answers
    ) { input in
        try ExchangeV4Target.checkRevert(input)
        var reader = InputReader(input)
        let functions = ExchangeFunctionV4.allCases
        let function = functions[reader.number(below: functions.count)]
        let data = reader.rest()
        guard let answer = try? ExchangeAnswerV4(data, of: function) else { return }
        try requireEqual(answer.data, data, "an answer of \(function.name) is not as it was read")
        let types = try ExchangeV4Target.results(of: function)
        try require(
            (try? ABI.decode(data, as: types)) != nil,
            "an answer of \(function.name) was read that the ABI refuses"
        )
    }
}

private enum ExchangeV4Target {
    static func checkRevert(_ data: [UInt8]) throws {
        guard let revert = ExchangeRevertV4(data) else { return }
        let types = try ABIFunction(revert.kind.rawValue).inputs
        try require(
            (try? ABI.decode(Array(data.dropFirst(4)), as: types, allowsTrailingBytes: true))
                != nil,
            "a revert was read that the ABI refuses"
        )
        if revert.kind == .words {
            try requireEqual(ExchangeRevertV4(revert.data), revert, "words that are written again")
        } else {
            try requireEqual(revert.data, data, "a revert is not written as it was read")
        }
        let sentence = revert.description
        try require(!sentence.isEmpty, "a revert without a sentence")
        try require(
            sentence.utf8.count <= data.count + 1_000,
            "a revert of \(data.count) bytes is told in \(sentence.utf8.count)"
        )
    }

    static func results(of function: ExchangeFunctionV4) throws -> [ABIType] {
        let info = "(bytes32,uint8,uint128)"
        let text: String
        switch function.orderCall?.verb {
        case .fill?: text = "uint128,uint128"
        case .fillOrKill?: text = "uint128"
        case .batchFill?: text = "uint128[],uint128[]"
        case .info?: text = info
        case .relevantState?: text = "\(info),uint128,bool"
        case .batchRelevantStates?: text = "\(info)[],uint128[],bool[]"
        case .hash?: text = "bytes32"
        case .cancel?, .batchCancel?, .cancelPair?, .batchCancelPair?, .cancelPairWithSigner?:
            text = ""
        case nil:
            switch function {
            case .getProtocolFeeMultiplier: text = "uint32"
            case .isValidOrderSigner: text = "bool"
            default: text = ""
            }
        }
        return try ABIFunction("f(\(text))").inputs
    }

    private static let signature = SignatureV4(
        type: 2,
        v: 27,
        r: UInt256(5).word,
        s: UInt256(6).word
    )
    private static let hash = OrderHash(UInt256(77).word)

    private static let limit = LimitOrderV4(
        makerToken: SampleOrders.zrx,
        takerToken: SampleOrders.weth,
        makerAmount: 1_000,
        takerAmount: 2_000,
        takerTokenFeeAmount: 3,
        maker: SampleOrders.proxy,
        expiry: SampleOrders.now,
        salt: 1
    )

    private static let rfq = RfqOrderV4(
        makerToken: SampleOrders.zrx,
        takerToken: SampleOrders.weth,
        makerAmount: 1_000,
        takerAmount: 2_000,
        maker: SampleOrders.proxy,
        txOrigin: SampleOrders.exchange,
        expiry: SampleOrders.now,
        salt: 1
    )

    private static func calls<Order: NativeOrderV4>(_ order: Order) -> [OrderCallV4<Order>] {
        let pair = PairCancelV4(
            makerToken: order.makerToken,
            takerToken: order.takerToken,
            minValidSalt: 9
        )
        return [
            .fill(order, signature, amount: 5), .fillOrKill(order, signature, amount: 5),
            .batchFill(
                [order, order],
                [signature, signature],
                amounts: [1, 2],
                revertIfIncomplete: true
            ),
            .cancel(order), .batchCancel([order]), .cancelPair(pair),
            .batchCancelPair(
                makerTokens: [order.makerToken],
                takerTokens: [order.takerToken],
                minValidSalts: [9]
            ),
            .cancelPairWithSigner(maker: order.maker, pair), .info(order),
            .relevantState(order, signature), .batchRelevantStates([order], [signature]),
            .hash(order),
        ]
    }

    @Sendable
    static func calls() throws -> [[UInt8]] {
        let others: [ExchangeCallV4] = [
            .getProtocolFeeMultiplier,
            .registerAllowedRfqOrigins([SampleOrders.zrx], allowed: true),
            .registerAllowedOrderSigner(SampleOrders.zrx, allowed: false),
            .isValidOrderSigner(maker: SampleOrders.zrx, signer: SampleOrders.weth),
        ]
        let all =
            calls(limit).map(ExchangeCallV4.limit) + calls(rfq).map(ExchangeCallV4.rfq) + others
        return all.map(\.data)
    }

    @Sendable
    static func logs() throws -> [[UInt8]] {
        let fill = ExchangeLogV4.Fill(
            orderHash: hash,
            maker: limit.maker,
            taker: SampleOrders.exchange,
            makerToken: limit.makerToken,
            takerToken: limit.takerToken,
            amounts: FillAmountsV4(taker: 2, maker: 1),
            pool: .zero
        )
        let fees = ExchangeLogV4.Fees(recipient: .zero, takerTokenFee: 1, protocolFee: 0)
        let pair = PairCancelV4(
            makerToken: limit.makerToken,
            takerToken: limit.takerToken,
            minValidSalt: 9
        )
        let logs: [ExchangeLogV4] = [
            .limitOrderFilled(fill, fees), .rfqOrderFilled(fill),
            .orderCancelled(hash, maker: limit.maker),
            .pairCancelledLimitOrders(maker: limit.maker, pair),
            .pairCancelledRfqOrders(maker: limit.maker, pair),
            .rfqOrderOriginsAllowed(origin: limit.maker, [.zero, limit.maker], allowed: true),
            .orderSignerRegistered(maker: limit.maker, signer: .zero, allowed: true),
        ]
        return logs.map { log in
            let index = ExchangeLogV4.Kind.allCases.firstIndex(of: log.kind) ?? 0
            return [UInt8(index)] + log.encoded.data
        }
    }

    @Sendable
    static func answers() throws -> [[UInt8]] {
        let info = OrderInfoV4(orderHash: hash, status: .fillable, filled: 1)
        let state = OrderRelevantStateV4(info: info, fillable: 5, isSignatureValid: true)
        let amounts = FillAmountsV4(taker: 2, maker: 1)
        let answers: [(ExchangeFunctionV4, ExchangeAnswerV4)] = [
            (.fillLimitOrder, .fill(amounts)), (.fillOrKillRfqOrder, .fillOrKill(1)),
            (.batchFillLimitOrders, .batchFill([amounts, amounts])), (.cancelLimitOrder, .nothing),
            (.getLimitOrderInfo, .info(info)), (.getRfqOrderRelevantState, .relevantState(state)),
            (.batchGetLimitOrderRelevantStates, .batchRelevantStates([state, state])),
            (.getLimitOrderHash, .hash(hash)),
            (.getProtocolFeeMultiplier, .protocolFeeMultiplier(70_000)),
            (.isValidOrderSigner, .isValidOrderSigner(true)),
        ]
        let maker = limit.maker
        let reverts: [ExchangeRevertV4] = [
            .orderNotFillable(hash, status: 2),
            .orderNotFillableByTaker(hash, taker: maker, orderTaker: .zero),
            .orderNotSignedByMaker(hash, signer: .zero, maker: maker),
            .signatureValidation(code: 5, hash.word),
            .batchFillIncomplete(hash, filled: 1, wanted: 2),
            .cancelSaltTooLow(minValidSalt: 1, oldMinValidSalt: 2),
            .invalidSigner(maker: maker, signer: .zero),
            .protocolFeeRefundFailed(receiver: maker, amount: 1),
            .notImplemented(selector: 0x1234_5678), .words("no luck"),
            .transferFailed(
                token: maker,
                from: .zero,
                to: maker,
                amount: 7,
                ExchangeRevertV4.words("too poor").data
            ),
        ]
        return reverts.map(\.data)
            + answers.map { function, answer in
                let index = ExchangeFunctionV4.allCases.firstIndex(of: function) ?? 0
                return [UInt8(index)] + answer.data
            }
    }
}
