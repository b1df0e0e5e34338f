import Ethereum
import StrictJSON

@testable import ZeroEx

extension FuzzTarget {
    /// Answers of the Swap API: a price keeps the fixed amount and its own bounds, a quote written
    /// plainly is read the same, and errors are bounded.
    static let swapAnswers = FuzzTarget(
        "swap-answers",
        maximumLength: 4_096,
        seeds: SwapAnswerTarget.seeds
    ) { input in
        var reader = InputReader(input)
        let operation = reader.number(below: 4)
        let requests = SwapAnswerTarget.requests
        let request = requests[reader.number(below: requests.count)]
        let body = reader.rest()
        switch operation {
        case 0:
            let price = try SwapAnswerTarget.answer {
                () throws(LiquidityError) in try ZeroExSwapWire.price(body, for: request)
            }
            if let price { try SwapAnswerTarget.check(price, request) }
        case 1:
            let quote = try SwapAnswerTarget.answer {
                () throws(LiquidityError) in try ZeroExSwapWire.quote(body, for: request)
            }
            if let quote { try SwapAnswerTarget.check(quote, request) }
        case 2:
            let chains = try SwapAnswerTarget.answer {
                () throws(LiquidityError) in try ZeroExSwapWire.chains(body)
            }
            try require((chains?.count ?? 0) <= 100, "more chains than the bound")
        default:
            let status = 300 + 2 * Int(body.first ?? 0)
            let error = ZeroExSwapWire.failure(status: status, body: body, url: "url")
            try SwapAnswerTarget.check(error)
        }
    }
}

private enum SwapAnswerTarget {
    /// A fixed sale, a fixed purchase, and a native sale by Permit2.
    static let requests = [
        SwapRequest(
            chainID: 1,
            sell: .token(SampleOrders.zrx),
            buy: .token(SampleOrders.weth),
            amount: .exactIn(1_000),
            slippage: 100
        ),
        SwapRequest(
            chainID: 5000,
            sell: .token(SampleOrders.zrx),
            buy: .native,
            amount: .exactOut(1_000),
            slippage: 100
        ),
        SwapRequest(
            chainID: 1,
            sell: .token(SampleOrders.zrx),
            buy: .native,
            amount: .exactIn(1_000),
            payment: .permit,
            slippage: 100
        ),
    ]

    /// What was read; an error is checked and is nil.
    static func answer<Value>(_ read: () throws(LiquidityError) -> Value) throws -> Value? {
        let error: LiquidityError
        do throws(LiquidityError) {
            return try read()
        } catch let caught {
            error = caught
        }
        try check(error)
        return nil
    }

    static func check(_ price: SwapPrice, _ request: SwapRequest) throws {
        try require(price.sold <= price.maximumSold, "more is sold than the most")
        try require(price.minimumBought <= price.bought, "less is bought than the least")
        switch request.amount {
        case .exactIn(let amount): try requireEqual(price.maximumSold, amount, "the fixed sale")
        case .exactOut(let amount): try requireEqual(price.minimumBought, amount, "the purchase")
        }
        try require(price.sources.count <= 100 && price.fees.count <= 103, "too long lists")
        let texts = price.sources.map(\.name) + [price.id ?? ""]
        try require(texts.allSatisfy { $0.unicodeScalars.count <= 500 }, "a text without bound")
        try require(price.sources.allSatisfy { $0.basisPoints <= 10_000 }, "more than the whole")
        try require(price.transferTax <= 10_000, "a tax of more than the whole")
    }

    static func check(_ quote: SwapQuote, _ request: SwapRequest) throws {
        try check(quote.price, request)
        try require(
            request.payment == .permit || quote.permit == nil,
            "a message without Permit2"
        )
        try requireEqual(quote.permit == nil, quote.permitHash == nil, "a message and its hash")
        let mode = if case .exactIn = request.amount { "exact-in" } else { "exact-out" }
        let written = try ZeroExSwapWire.quote(json(quote, mode: mode).utf8, for: request)
        try requireEqual(written.call, quote.call, "a transaction that is written again")
        try requireEqual(written.gas, quote.gas, "its gas")
        try requireEqual(written.namedSpender, quote.namedSpender, "its spender")
        try requireEqual(written.permit, quote.permit, "its message")
        try requireEqual(written.permitHash, quote.permitHash, "the hash of its message")
    }

    static func check(_ error: LiquidityError) throws {
        switch error {
        case .nonsense(let reason):
            try require(reason.utf8.count < 300, "nonsense is told at length: \(reason)")
            try requireHarmless(reason, "nonsense")
        case .refused(_, let name, let reason, let fields):
            let texts = [name, reason] + fields.flatMap { [$0.field, $0.reason] }
            try require(
                fields.count <= 100 && texts.allSatisfy { $0.unicodeScalars.count <= 500 },
                "a refusal's texts are longer than their bound"
            )
        case .unreachable(let url, _), .rateLimited(let url, _), .badKey(let url),
            .regionBlocked(let url):
            try requireEqual(url, "url", "the address of an error")
        case .noLiquidity, .exactOutUnsupported: break
        case .noPool, .unpooled, .unprovenToken, .exactInOnly, .absent, .foreignContracts, .chain:
            try require(false, "an answer of the API is told as one of the chain: \(error)")
        }
    }

    /// The quote as the API writes it.
    private static func json(_ quote: SwapQuote, mode: String) -> JSONValue {
        var transaction = JSONObject()
        transaction["to"] = .string(quote.call.to.lowercaseHex)
        transaction["data"] = .string(Hex.encode(quote.call.data))
        transaction["value"] = .string(quote.call.value.description)
        transaction["gas"] = quote.gas.map { .string($0.description) }
        var answer = JSONObject()
        answer["liquidityAvailable"] = true
        answer["mode"] = .string(mode)
        answer["transaction"] = .object(transaction)
        answer["buyAmount"] = .string(quote.price.bought.description)
        answer["minBuyAmount"] = .string(quote.price.minimumBought.description)
        answer["maxSellAmount"] = .string(quote.price.maximumSold.description)
        answer["allowanceTarget"] = quote.namedSpender.map { .string($0.lowercaseHex) }
        answer["permit2"] = quote.permit.map { json($0, quote.permitHash) }
        return .object(answer)
    }

    private static func json(_ permit: SwapPermit, _ hash: Bytes32?) -> JSONValue {
        [
            "type": "Permit2", "hash": .string((hash ?? .zero).hex),
            "eip712": permit.typedData?.json ?? .null,
        ]
    }

    @Sendable
    static func seeds() throws -> [[UInt8]] {
        let price = #"""
            {"liquidityAvailable":true,"mode":"exact-in","buyAmount":"900","minBuyAmount":"890",
            "gas":"21000","sellAmount":"1000",
            "route":{"fills":[{"source":"A","proportionBps":"1"}]},
            "fees":{"zeroExFee":{"amount":"1","token":"0x00000000000000000000000000000000000000a1"},
            "integratorFee":null},"issues":{"allowance":null,"balance":{"actual":"5"},
            "simulationIncomplete":true},"tokenMetadata":{"buyToken":{"buyTaxBps":"3"}},
            "blockNumber":"12","zid":"0x1"}
            """#
        let exactOut = #"""
            {"liquidityAvailable":true,"mode":"exact-out","buyAmount":"1000","maxSellAmount":"99",
            "estimatedNetSellAmount":"98","routes":{"forward":{"fills":[]}},"transaction":{"to":
            "0x0000000000001ff3684f28c67538d4d072c22734","data":"0x2213bc0b","value":"0","gas":null}}
            """#
        let permit = SwapPermit(
            chainID: 1,
            contract: ZeroExSwapContracts.permit2,
            token: SampleOrders.zrx,
            amount: 1_000,
            spender: SampleOrders.exchange,
            nonce: 7,
            deadline: UInt256(SampleOrders.now)
        )
        let quote = SwapQuote(
            price: SwapPrice(sold: 1_000, maximumSold: 1_000, bought: 900, minimumBought: 890),
            call: SwapCall(to: SampleOrders.exchange, data: [1, 2], value: .zero),
            gas: 5,
            namedSpender: ZeroExSwapContracts.permit2,
            permit: permit,
            permitHash: permit.hash
        )
        let error = #"""
            {"name":"INPUT_INVALID","message":"m","data":{"zid":"0x","code":"NO_LIQUIDITY",
            "details":[{"field":"buyAmount","reason":"r","code":"X"}]}}
            """#
        return [
            [0, 0] + Array(price.utf8), [1, 1] + Array(exactOut.utf8),
            [1, 2] + json(quote, mode: "exact-in").utf8,
            [2, 0] + Array(#"{"chains":[{"chainId":1}]}"#.utf8),
            [2, 0] + Array(#"[{"chainId":"10"}]"#.utf8), [3, 0] + Array(error.utf8),
            [0, 0] + Array(#"{"liquidityAvailable":false,"zid":"0x"}"#.utf8),
        ]
    }
}
