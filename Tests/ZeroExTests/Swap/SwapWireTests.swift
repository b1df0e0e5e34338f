import Ethereum
import StrictJSON
import Testing

@testable import ZeroEx

@Suite("Swap API, requests and genuine answers")
struct SwapWireTests {
    // MARK: Requests

    @Test("the path names the payment, the assets, the fixed side, the taker and the slippage")
    func path() {
        var request = SwapAnswers.sellsTokens
        let tokens =
            "chainId=1&sellToken=\(SwapSample.sold.lowercaseHex)"
            + "&buyToken=\(SwapSample.bought.lowercaseHex)"
        let taker = "&taker=\(SwapSample.account.lowercaseHex)"
        #expect(
            ZeroExSwapWire.path(request, firm: true)
                == "/swap/allowance-holder/quote?\(tokens)&sellAmount=990000\(taker)"
                + "&slippageBps=100"
        )
        request.payment = .permit
        request.taker = nil
        request.amount = .exactOut(5)
        request.slippage = 12_345
        #expect(
            ZeroExSwapWire.path(request, firm: false)
                == "/swap/permit2/price?\(tokens)&buyAmount=5&slippagePpm=12345"
        )
        request.slippage = .max
        #expect(ZeroExSwapWire.path(request, firm: false).hasSuffix("&slippageBps=10000"))
    }

    @Test("the native coin has its own address, and Mantle's another")
    func native() {
        var request = SwapAnswers.sellsTokens
        request.sell = .native
        let usual = "&sellToken=0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee&"
        #expect(ZeroExSwapWire.path(request, firm: true).contains(usual))
        request.chainID = 5000
        let mantle = "&sellToken=0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000&"
        #expect(ZeroExSwapWire.path(request, firm: true).contains(mantle))
    }

    // MARK: Answers

    @Test("a price of a fixed sale")
    func price() throws {
        let price = try ZeroExSwapWire.price(
            SwapAnswers.body(SwapAnswers.price),
            for: SwapAnswers.sellsTokens
        )
        #expect(
            price
                == SwapPrice(
                    sold: 990_000,
                    maximumSold: 990_000,
                    bought: 500_000,
                    minimumBought: 495_000,
                    gas: 210_000,
                    sources: [
                        SwapPrice.Source(name: "Uniswap_V3", basisPoints: 7_500),
                        SwapPrice.Source(name: "Curve", basisPoints: 2_500),
                    ],
                    fees: [
                        SwapPrice.Fee(
                            amount: 75,
                            token: .token(SwapSample.bought),
                            kind: "zeroEx"
                        )
                    ],
                    transferTax: 30,
                    block: 123_456,
                    id: "0x1d"
                )
        )
    }

    @Test("a price of a fixed purchase: the most, the expected net, the forward route")
    func exactOut() throws {
        let price = try ZeroExSwapWire.price(
            SwapAnswers.body(SwapAnswers.exactOut),
            for: SwapAnswers.buysTokens
        )
        #expect(price.sold == 990_000)
        #expect(price.maximumSold == 1_000_000)
        #expect(price.bought == 500_000)
        #expect(price.minimumBought == 500_000)
        #expect(price.sources.map(\.name) == ["Uniswap_V3", "Curve"])
        let bare = SwapAnswers.exactOut.with(["estimatedNetSellAmount"], nil)
        let other = try ZeroExSwapWire.price(bare.utf8, for: SwapAnswers.buysTokens)
        #expect(other.sold == 1_000_000)
    }

    @Test("a quote: its transaction, the gas in it, the named spender")
    func quote() throws {
        let quote = try ZeroExSwapWire.quote(
            SwapAnswers.body(SwapAnswers.quote),
            for: SwapAnswers.sellsTokens
        )
        let holder = ZeroExSwapContracts.allowanceHolder
        #expect(
            quote.call == SwapCall(to: holder, data: [0x22, 0x13, 0xbc, 0x0b], value: .zero)
        )
        #expect(quote.gas == 210_000)
        #expect(quote.price.gas == 210_000)
        #expect(quote.namedSpender == holder)
        #expect(quote.permit == nil)
        let json = SwapAnswers.quote.with(["transaction", "gas"], .null)
        let unknown = try ZeroExSwapWire.quote(json.utf8, for: SwapAnswers.sellsTokens)
        #expect(unknown.gas == nil)
    }

    @Test("a Permit2 quote: the message by its values, whose hash is the answer's")
    func permit() throws {
        let body = SwapAnswers.body(SwapAnswers.permitQuote)
        let quote = try ZeroExSwapWire.quote(body, for: SwapAnswers.permits)
        let permit = try #require(quote.permit)
        #expect(permit.hash == quote.permitHash)
        #expect(permit.chainID == 1)
        #expect(permit.deadline == 1_739_918_089)
        // An allowance needs no message, whatever the answer has.
        let allowance = try ZeroExSwapWire.quote(body, for: SwapAnswers.sellsTokens)
        #expect(allowance.permit == nil)
        let none = SwapAnswers.permitQuote.with(["permit2"], .null)
        #expect(try ZeroExSwapWire.quote(none.utf8, for: SwapAnswers.permits).permit == nil)
    }

    @Test("only what a step needs has to be there, as in older answers and the documented samples")
    func optional() throws {
        var json = SwapAnswers.price
        for field in [
            "mode", "sellToken", "buyToken", "sellAmount", "route", "fees", "allowanceTarget",
            "issues", "tokenMetadata", "totalNetworkFee", "blockNumber", "zid", "gas", "gasPrice",
        ] {
            json = json.with([field], nil)
        }
        let price = try ZeroExSwapWire.price(json.utf8, for: SwapAnswers.sellsTokens)
        #expect(
            price
                == SwapPrice(
                    sold: 990_000,
                    maximumSold: 990_000,
                    bought: 500_000,
                    minimumBought: 495_000
                )
        )
    }

    @Test("addresses may have any letter case, and native coins either of Mantle's addresses")
    func letterCase() throws {
        let upper = SwapSample.sold.lowercaseHex.dropFirst(2).uppercased()
        let json = SwapAnswers.price.with(["sellToken"], .string("0x\(upper)"))
        #expect(throws: Never.self) {
            _ = try ZeroExSwapWire.price(json.utf8, for: SwapAnswers.sellsTokens)
        }
        var request = SwapAnswers.sellsTokens
        request.sell = .native
        for (chain, address, isAccepted) in [
            (1, ZeroExSwapContracts.nativeCoin, true),
            (1, ZeroExSwapContracts.mantleNativeCoin, false),
            (5000, ZeroExSwapContracts.nativeCoin, true),
            (5000, ZeroExSwapContracts.mantleNativeCoin, true),
        ] as [(UInt64, Address, Bool)] {
            request.chainID = chain
            let json = SwapAnswers.price.with(["sellToken"], .string(address.lowercaseHex))
            let price = try? ZeroExSwapWire.price(json.utf8, for: request)
            #expect((price != nil) == isAccepted, "\(chain) \(address)")
        }
    }

    @Test("a short balance and a missing simulation are seen")
    func issues() throws {
        let json = SwapAnswers.price
            .with(["issues", "balance"], ["actual": "12", "expected": "990000"])
            .with(["issues", "simulationIncomplete"], true)
        let price = try ZeroExSwapWire.price(json.utf8, for: SwapAnswers.sellsTokens)
        #expect(price.shortBalance == 12)
        #expect(!price.isSimulated)
    }

    @Test("each fee is told once, by its kind; native coins are no tokens")
    func fees() throws {
        let integrator: JSONValue = [
            "amount": "9", "token": .string(ZeroExSwapContracts.nativeCoin.lowercaseHex),
        ]
        let gas: JSONValue = ["amount": "8", "token": .string(SwapSample.bought.lowercaseHex)]
        let single = SwapAnswers.price.with(["fees", "integratorFee"], integrator)
            .with(["fees", "gasFee"], gas)
        let price = try ZeroExSwapWire.price(single.utf8, for: SwapAnswers.sellsTokens)
        #expect(price.fees.map(\.kind) == ["zeroEx", "integrator", "gas"])
        #expect(price.fees[1].token == .native)
        let list = single.with(["fees", "integratorFees"], [integrator, gas])
        let both = try ZeroExSwapWire.price(list.utf8, for: SwapAnswers.sellsTokens)
        #expect(both.fees.map(\.amount) == [75, 9, 8, 8])
    }

    @Test("the spender of the issues counts, and one that is none of the published is not hidden")
    func spender() throws {
        let permit2 = ZeroExSwapContracts.permit2
        let attacker = SwapSample.attacker
        let holder = ZeroExSwapContracts.allowanceHolder
        for (issue, target, expected) in [
            (holder, permit2, holder), (attacker, holder, attacker),
            (holder, attacker, attacker), (nil, permit2, permit2), (nil, nil, nil),
        ] as [(Address?, Address?, Address?)] {
            let allowance: JSONValue =
                issue.map { ["spender": .string($0.lowercaseHex)] } ?? .null
            let json = SwapAnswers.quote.with(["issues", "allowance"], allowance)
                .with(["allowanceTarget"], target.map { .string($0.lowercaseHex) } ?? .null)
            let quote = try ZeroExSwapWire.quote(json.utf8, for: SwapAnswers.sellsTokens)
            #expect(quote.namedSpender == expected)
        }
    }

    @Test("chains come as an object or as a bare list, with numbers or texts")
    func chains() throws {
        for text in [
            #"{"chains":[{"chainId":1,"chainName":"Ethereum"},{"chainId":8453}],"zid":"0x"}"#,
            #"[{"chainId":"1","chainName":"Ethereum"},{"chainId":"8453"}]"#,
        ] {
            #expect(try ZeroExSwapWire.chains(Array(text.utf8)) == [1, 8453])
        }
        #expect(try ZeroExSwapWire.chains(Array("[]".utf8)) == [])
        for text in [
            "{}", "1", "", #"{"chains":null}"#, #"{"chains":{}}"#, "[1]", "[{}]",
            #"[{"chainId":-1}]"#, #"[{"chainId":1.0}]"#, #"[{"chainId":"1e3"}]"#,
            #"[{"chainId":18446744073709551616}]"#, #"[{"chainId":1,"chainId":1}]"#,
            "[\(Array(repeating: #"{"chainId":1}"#, count: 101).joined(separator: ","))]",
        ] {
            #expect(throws: LiquidityError.self, "\(text)") {
                _ = try ZeroExSwapWire.chains(Array(text.utf8))
            }
        }
    }
}
