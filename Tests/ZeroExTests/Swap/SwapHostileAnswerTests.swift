import Ethereum
import StrictJSON
import Testing

@testable import ZeroEx

@Suite("Swap API, hostile answers and errors")
struct SwapHostileAnswerTests {
    // MARK: Answers

    @Test("no liquidity is looked at first, whatever else is missing")
    func noLiquidity() {
        for text in [
            #"{"liquidityAvailable":false,"zid":"0x1"}"#,
            #"{"liquidityAvailable":false,"sellToken":7,"buyAmount":-1}"#,
        ] {
            #expect(throws: LiquidityError.noLiquidity) {
                _ = try ZeroExSwapWire.price(Array(text.utf8), for: SwapAnswers.sellsTokens)
            }
            #expect(throws: LiquidityError.noLiquidity) {
                _ = try ZeroExSwapWire.quote(Array(text.utf8), for: SwapAnswers.sellsTokens)
            }
        }
    }

    @Test("a body that is no object of JSON is nonsense")
    func bodies() {
        for text in [
            "", "<html><body>hi</body></html>", "null", "[]", "true", "{}", "{", "\u{FEFF}{}",
            #"{"liquidityAvailable":"true"}"#, #"{"liquidityAvailable":null}"#,
            #"{"liquidityAvailable":true,"liquidityAvailable":false}"#,
            #"{"liquidityAvailable":true}"#,
        ] {
            expectNonsense("", Array(text.utf8))
        }
    }

    @Test("a body beyond its bound, too many values or too deep ones are nonsense")
    func bounds() {
        let blank = [UInt8](repeating: 0x20, count: ZeroExSwapWire.maximumBody)
        expectNonsense("larger than", SwapAnswers.price.utf8 + blank)
        let many = "[" + String(repeating: "0,", count: 100_001) + "0]"
        expectNonsense("values", Array(many.utf8))
        let deep = String(repeating: "[", count: 100_000)
        expectNonsense("nested", Array(deep.utf8))
    }

    @Test(
        "an amount is plain decimal digits of at most 256 bits, and the error names the field",
        arguments: [
            "-1", "+1", "1.0", "1e3", "1E3", "0x10", "", " 1", "1 ", "01", "1_000", "١",
            "115792089237316195423570985008687907853269984665640564039457584007913129639936",
            String(repeating: "9", count: 100_000), "NaN", "\u{0}",
        ]
    )
    func amounts(_ text: String) {
        for field in ["buyAmount", "minBuyAmount", "sellAmount"] {
            let json = SwapAnswers.price.with([field], .string(text))
            expectNonsense(field, json.utf8)
        }
        let value = SwapAnswers.quote.with(["transaction", "value"], .string(text))
        expectNonsense("transaction.value", value.utf8, isQuote: true)
    }

    @Test("a value of another type is nonsense that names the field")
    func types() {
        let wrong: [JSONValue] = [true, .number("5"), .number("-5"), [], .object(JSONObject())]
        for value in wrong {
            expectNonsense("buyAmount", SwapAnswers.price.with(["buyAmount"], value).utf8)
            expectNonsense("sellToken", SwapAnswers.price.with(["sellToken"], value).utf8)
            expectNonsense("zid", SwapAnswers.price.with(["zid"], value).utf8)
            let json = SwapAnswers.quote.with(["transaction", "data"], value)
            expectNonsense("transaction.data", json.utf8, isQuote: true)
        }
        for field in [
            "issues", "fees", "route", "tokenMetadata", "blockNumber", "gas", "mode",
            "liquidityAvailable",
        ] {
            expectNonsense(field, SwapAnswers.price.with([field], "x").utf8)
        }
        for path in [
            ["issues", "allowance"], ["issues", "balance"], ["issues", "simulationIncomplete"],
            ["fees", "zeroExFee"], ["fees", "integratorFees"], ["route", "fills"],
            ["tokenMetadata", "buyToken"], ["tokenMetadata", "buyToken", "transferTaxBps"],
            ["fees", "zeroExFee", "amount"], ["fees", "zeroExFee", "token"],
        ] {
            let json = SwapAnswers.quote.with(path, "x")
            expectNonsense(path.joined(separator: "."), json.utf8, isQuote: true)
        }
    }

    @Test("what a step needs may not be missing or null")
    func missing() {
        for missing in [nil, JSONValue.null] {
            for field in ["buyAmount", "minBuyAmount", "liquidityAvailable"] {
                expectNonsense(field, SwapAnswers.price.with([field], missing).utf8)
            }
            for field in ["to", "data", "value"] {
                let json = SwapAnswers.quote.with(["transaction", field], missing)
                expectNonsense("transaction.\(field)", json.utf8, isQuote: true)
            }
            let json = SwapAnswers.quote.with(["transaction"], missing)
            expectNonsense("transaction", json.utf8, isQuote: true)
            for path in [
                ["hash"], ["eip712"], ["eip712", "domain"], ["eip712", "message"],
                ["eip712", "domain", "chainId"], ["eip712", "domain", "verifyingContract"],
                ["eip712", "message", "permitted"], ["eip712", "message", "permitted", "token"],
                ["eip712", "message", "permitted", "amount"], ["eip712", "message", "spender"],
                ["eip712", "message", "nonce"], ["eip712", "message", "deadline"],
            ] {
                let json = SwapAnswers.permitQuote.with(["permit2"] + path, missing)
                expectNonsense(
                    "permit2.\(path.joined(separator: "."))",
                    json.utf8,
                    isQuote: true,
                    SwapAnswers.permits
                )
            }
        }
    }

    @Test("an answer to another request is nonsense")
    func otherTerms() {
        let other = JSONValue.string(SwapSample.attacker.lowercaseHex)
        expectNonsense("sellToken", SwapAnswers.price.with(["sellToken"], other).utf8)
        expectNonsense("buyToken", SwapAnswers.price.with(["buyToken"], other).utf8)
        expectNonsense("sellAmount", SwapAnswers.price.with(["sellAmount"], "990001").utf8)
        expectNonsense("mode", SwapAnswers.price.with(["mode"], "exact-out").utf8)
        expectNonsense("mode", SwapAnswers.price.with(["mode"], "").utf8)
        let exactOut = SwapAnswers.exactOut
        for (field, value) in [
            ("buyAmount", "500001"), ("mode", "exact-in"), ("mode", nil), ("maxSellAmount", nil),
            ("maxSellAmount", "989999"), ("estimatedNetSellAmount", "0"),
        ] as [(String, String?)] {
            let json = exactOut.with([field], value.map { .string($0) })
            let named = field == "maxSellAmount" && value != nil ? "maxSellAmount" : field
            expectNonsense(named, json.utf8, SwapAnswers.buysTokens)
        }
        expectNonsense("permit2.type", isQuote: true, SwapAnswers.permits) {
            SwapAnswers.permitQuote.with(["permit2", "type"], "Other")
        }
    }

    @Test("amounts that contradict each other are nonsense")
    func contradictions() {
        expectNonsense("buyAmount", SwapAnswers.price.with(["buyAmount"], "0").utf8)
        expectNonsense("minBuyAmount", SwapAnswers.price.with(["minBuyAmount"], "500001").utf8)
        let json = SwapAnswers.price.with(
            ["route", "fills"],
            [["source": "x", "proportionBps": "10001"]]
        )
        expectNonsense("route.fills[0].proportionBps", json.utf8)
    }

    @Test("lists and call data are bounded, texts are cut")
    func lists() throws {
        let fill: JSONValue = ["source": "x", "proportionBps": "1"]
        for (count, isAccepted) in [(100, true), (101, false)] {
            let fills = JSONValue.array(Array(repeating: fill, count: count))
            let json = SwapAnswers.price.with(["route", "fills"], fills)
            let price = try? ZeroExSwapWire.price(json.utf8, for: SwapAnswers.sellsTokens)
            #expect(price?.sources.count == (isAccepted ? count : nil))
        }
        for (count, isAccepted) in [
            (ZeroExSwapWire.maximumCallData, true), (ZeroExSwapWire.maximumCallData + 1, false),
        ] {
            let text = "0x" + String(repeating: "00", count: count)
            let json = SwapAnswers.quote.with(["transaction", "data"], .string(text))
            let quote = try? ZeroExSwapWire.quote(json.utf8, for: SwapAnswers.sellsTokens)
            #expect(quote?.call.data.count == (isAccepted ? count : nil))
        }
        for data in ["2213bc0b", "0x2", "0xzz", ""] {
            let json = SwapAnswers.quote.with(["transaction", "data"], .string(data))
            expectNonsense("transaction.data", json.utf8, isQuote: true)
        }
        let long = JSONValue.string(String(repeating: "a", count: 10_000))
        let price = try ZeroExSwapWire.price(
            SwapAnswers.price.with(["zid"], long).utf8,
            for: SwapAnswers.sellsTokens
        )
        #expect(price.id?.count == 500)
    }

    // MARK: Errors

    @Test(
        "an HTTP status alone says whether a retry may help",
        arguments: [
            (400, false), (401, false), (403, false), (404, false), (408, true), (422, false),
            (425, true), (429, true), (451, false), (499, false), (500, true), (502, true),
            (503, true), (519, true), (520, false), (526, false), (527, true), (599, true),
            (600, false), (200, false), (302, false),
        ]
    )
    func retries(_ status: Int, _ isRetryable: Bool) {
        #expect(ZeroExSwapWire.isRetryable(status: status) == isRetryable)
    }

    @Test("the status decides where the body need not be read")
    func statuses() {
        let url = "https://api.0x.org"
        for body in ["", "<html>", #"{"name":"INPUT_INVALID"}"#, #"{"name":7}"#, "[]"] {
            #expect(failure(401, body) == .badKey(url: url))
            #expect(failure(429, body) == .rateLimited(url: url, retryAfter: nil))
            #expect(failure(451, body) == .regionBlocked(url: url))
            for status in [408, 425, 500, 503, 520, 526, 599] {
                let expected = LiquidityError.unreachable(url: url, reason: "HTTP \(status)")
                #expect(failure(status, body) == expected)
            }
            for status in [100, 204, 302, 600, -1] {
                guard case .nonsense = failure(status, body) else {
                    Issue.record("\(status)")
                    continue
                }
            }
        }
    }

    @Test("a refusal has its name, its message and the reasons for its fields")
    func refusal() {
        let body = """
            {"name":"INPUT_INVALID","message":"The input is invalid","data":{"zid":"0x1","details":\
            [{"field":"taker","reason":"Invalid address"},{"reason":"no field"},{"field":"x"}]}}
            """
        #expect(
            failure(400, body)
                == .refused(
                    status: 400,
                    name: "INPUT_INVALID",
                    reason: "The input is invalid",
                    fields: [
                        LiquidityError.FieldReason(field: "taker", reason: "Invalid address"),
                        LiquidityError.FieldReason(field: "x", reason: ""),
                    ]
                )
        )
        let page = LiquidityError.refused(
            status: 404,
            name: "no name",
            reason: "no reason is given",
            fields: []
        )
        for body in ["<html>", "", "[]", "7", #"{"name":[],"message":{},"data":"x"}"#] {
            #expect(failure(404, body) == page)
        }
    }

    @Test("the cause may be nested; a refusal for want of liquidity is no liquidity")
    func nested() {
        for body in [
            #"{"name":"INSUFFICIENT_ASSET_LIQUIDITY"}"#, #"{"data":{"name":"NO_LIQUIDITY"}}"#,
            #"{"name":"X","data":{"code":"INSUFFICIENT_ASSET_LIQUIDITY"}}"#,
            #"{"name":"INPUT_INVALID","data":{"details":[{"code":"NO_LIQUIDITY"}]}}"#,
        ] {
            #expect(failure(400, body) == .noLiquidity)
            #expect(failure(500, body) == .noLiquidity)
        }
        for (body, name) in [
            (#"{"name":"X","data":{"name":"INSUFFICIENT_BALANCE"}}"#, "INSUFFICIENT_BALANCE"),
            (#"{"data":{"code":"SELL_AMOUNT_TOO_SMALL"}}"#, "SELL_AMOUNT_TOO_SMALL"),
            (#"{"data":{"details":[{"code":"USER_NOT_AUTHORIZED"}]}}"#, "USER_NOT_AUTHORIZED"),
        ] {
            guard case .refused(403, name, _, _) = failure(403, body) else {
                Issue.record("\(failure(403, body))")
                continue
            }
        }
    }

    @Test("a fixed purchase that the API cannot make is told apart from other refusals")
    func exactOutUnsupported() {
        let only =
            #"{"name":"INPUT_INVALID","data":{"details":[{"field":"buyAmount","reason":"r"}]}}"#
        #expect(failure(400, only) == .exactOutUnsupported)
        let both = """
            {"name":"INPUT_INVALID","data":{"details":[{"field":"buyAmount"},{"field":"taker"}]}}
            """
        #expect(failure(400, both) != .exactOutUnsupported)
    }

    @Test("a hostile error's texts are cut and its fields counted")
    func boundedErrors() {
        let long = String(repeating: "\u{1B}x", count: 300)
        let details = JSONValue.array(
            Array(repeating: ["field": .string(long), "reason": .string(long)], count: 300)
        )
        let body: JSONValue = [
            "name": .string(long), "message": .string(long), "data": ["details": details],
        ]
        let error = ZeroExSwapWire.failure(status: 400, body: body.utf8, url: "u")
        guard case .refused(_, let name, let reason, let fields) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(fields.count == 100)
        let texts = [name, reason] + fields.flatMap { [$0.field, $0.reason] }
        #expect(texts.allSatisfy { $0.unicodeScalars.count <= 500 })
    }

    // MARK: Helpers

    private func failure(_ status: Int, _ body: String) -> LiquidityError {
        ZeroExSwapWire.failure(status: status, body: Array(body.utf8), url: "https://api.0x.org")
    }

    private func expectNonsense(
        _ part: String,
        isQuote: Bool = false,
        _ request: SwapRequest = SwapAnswers.sellsTokens,
        location: SourceLocation = #_sourceLocation,
        _ json: () -> JSONValue
    ) {
        expectNonsense(part, json().utf8, isQuote: isQuote, request, location: location)
    }

    private func expectNonsense(
        _ part: String,
        _ body: [UInt8],
        isQuote: Bool = false,
        _ request: SwapRequest = SwapAnswers.sellsTokens,
        location: SourceLocation = #_sourceLocation
    ) {
        do throws(LiquidityError) {
            if isQuote {
                _ = try ZeroExSwapWire.quote(body, for: request)
            } else {
                _ = try ZeroExSwapWire.price(body, for: request)
            }
            Issue.record("it was read", sourceLocation: location)
        } catch {
            guard case .nonsense(let reason) = error else {
                Issue.record("\(error)", sourceLocation: location)
                return
            }
            #expect(part.isEmpty || reason.contains(part), sourceLocation: location)
            #expect(reason.utf8.count < 300, sourceLocation: location)
        }
    }
}
