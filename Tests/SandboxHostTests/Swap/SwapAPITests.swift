import DexSandbox
import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@testable import SandboxHost

/// The answers of the sandbox's Swap API, against 0x's description of its own.
@Suite("The sandbox's Swap API")
struct SwapAPITests {
    private static let token: UInt256 = 1_000_000_000_000_000_000
    private static let pricePath = "/swap/allowance-holder/price"
    private static let quotePath = "/swap/allowance-holder/quote"

    private func names(_ json: JSONValue?) -> Set<String> {
        Set(json?.objectValue?.members.map(\.key) ?? [])
    }

    @Test("both headers are required, whatever is asked")
    func headers() async throws {
        let bench = try SwapBench()
        let items = bench.items(SwapBench.zrx, SwapBench.weth, Self.token)
        for path in [Self.pricePath, Self.quotePath, "/swap/chains", "/sources", "/else"] {
            for key in [nil, ""] {
                #expect(try await bench.ask(path, items, key: key).status == 401)
                // A missing key is found first.
                #expect(try await bench.ask(path, items, key: key, version: nil).status == 401)
            }
            for version in [nil, "", "v1", "V2"] {
                let answer = try await bench.ask(path, items, version: version)
                #expect(answer.status == 400)
                #expect(answer.json["name"] == "INPUT_INVALID")
                let detail = answer.json["data"]?["details"]?.arrayValue?.first
                #expect(detail?["field"] == "0x-version")
            }
        }
        #expect(try await bench.ask("/else", items).status == 404)
        #expect(try await bench.ask(Self.pricePath, items, key: "any").status == 200)
    }

    @Test("chains and sources")
    func lists() async throws {
        let bench = try SwapBench()
        let chains = try await bench.ask("/swap/chains", []).json
        #expect(chains["chains"]?.arrayValue?.first?["chainId"] == 1337)
        #expect(chains["zid"]?.stringValue?.utf8.count == 26)
        let sources = try await bench.ask("/sources", [("chainId", "1337")])
        #expect(sources.json["sources"] == ["Stand_In_Pool"])
        #expect(try await bench.ask("/sources", [("chainId", "1")]).status == 400)
    }

    /// A parameter with a text that is refused; nil leaves it out.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let name: String
        let value: String?

        init(_ name: String, _ value: String?) {
            self.name = name
            self.value = value
        }

        var testDescription: String { "\(name)=\(value ?? "")" }
    }

    static let refusals: [Refusal] = [
        Refusal("chainId", nil), Refusal("chainId", "1"), Refusal("chainId", "-1337"),
        Refusal("chainId", "01337"), Refusal("sellToken", nil), Refusal("sellToken", "ZRX"),
        Refusal("buyToken", nil), Refusal("buyToken", "0x" + String(repeating: "0", count: 40)),
        Refusal("buyToken", SandboxTokens.zrx.address.lowercaseHex),
        Refusal("sellAmount", nil), Refusal("sellAmount", "0"), Refusal("sellAmount", "-1"),
        Refusal("sellAmount", "1.5"), Refusal("sellAmount", "1e18"),
        Refusal("sellAmount", "0x10"), Refusal("sellAmount", ""),
        Refusal("sellAmount", "1" + String(repeating: "0", count: 78)),
        Refusal("buyAmount", "5"), Refusal("taker", nil), Refusal("taker", "alice"),
        Refusal("recipient", "0x1"), Refusal("txOrigin", "me"), Refusal("slippageBps", "10001"),
        Refusal("slippageBps", "1.5"), Refusal("slippagePpm", "1000001"),
        Refusal("gasPrice", "fast"), Refusal("wrapUnwrapMode", "both"),
        Refusal("swapFeeBps", "10"), Refusal("sellEntireBalance", "true"),
        Refusal("sellEntireBalance", "yes"),
    ]

    @Test("every bad parameter is named", arguments: Self.refusals)
    func refused(_ refusal: Refusal) async throws {
        let bench = try SwapBench()
        var items = bench.items(SwapBench.zrx, SwapBench.weth, Self.token)
        items.removeAll { $0.name == refusal.name }
        if let value = refusal.value { items.append((refusal.name, value)) }
        let answer = try await bench.ask(Self.quotePath, items)
        #expect(answer.status == 400)
        #expect(answer.json["name"] == "INPUT_INVALID")
        #expect(answer.json["data"]?["zid"]?.stringValue?.hasPrefix("0x") == true)
        let details = answer.json["data"]?["details"]?.arrayValue ?? []
        #expect(details.map { $0["field"]?.stringValue } == [refusal.name])
        #expect(details.first?["reason"]?.stringValue?.isEmpty == false)
    }

    @Test("what excludes each other, and what is given twice")
    func combinations() async throws {
        let bench = try SwapBench()
        func fields(_ items: [(name: String, value: String)]) async throws -> [String?] {
            let answer = try await bench.ask(Self.quotePath, items)
            let details = answer.json["data"]?["details"]?.arrayValue ?? []
            return details.map { $0["field"]?.stringValue }
        }
        let (zrx, weth, native) = (SwapBench.zrx, SwapBench.weth, SwapBench.native)
        let two = bench.items(zrx, weth, 1, ("slippageBps", "1"), ("slippagePpm", "1"))
        #expect(try await fields(two) == ["slippagePpm"])
        let twice = bench.items(zrx, weth, 1, ("chainId", "1337"))
        #expect(try await fields(twice) == ["chainId"])
        let exact = bench.items(native, weth, 1, isExactOut: true)
        #expect(try await fields(exact) == ["buyAmount"])
        let sent = bench.items(weth, native, 1, ("recipient", bench.alice.address.checksummed))
        #expect(try await fields(sent) == ["recipient"])
        // All of them at once.
        #expect(
            try await fields([]) == ["chainId", "sellToken", "buyToken", "taker", "sellAmount"]
        )
    }

    @Test("a price has every member of the description, and a quote those of a transaction")
    func members() async throws {
        let bench = try SwapBench()
        let common: Set<String> = [
            "allowanceTarget", "blockNumber", "buyAmount", "buyToken", "fees", "issues",
            "liquidityAvailable", "mode", "sellToken", "tokenMetadata", "totalNetworkFee", "zid",
        ]
        let exactIn: Set<String> = ["sellAmount", "minBuyAmount", "route"]
        let exactOut: Set<String> = ["maxSellAmount", "estimatedNetSellAmount", "routes"]
        for isExactOut in [false, true] {
            let items = bench.items(
                SwapBench.zrx,
                SwapBench.dai,
                Self.token,
                isExactOut: isExactOut
            )
            let amounts = isExactOut ? exactOut : exactIn
            for endpoint in SwapAPI.Endpoint.allCases {
                let path = "/swap/\(endpoint.rawValue)"
                // A price needs no taker.
                let open = items.filter { $0.name != "taker" }
                let price = try await bench.ask(path + "/price", open).json
                #expect(names(price) == common.union(amounts).union(["gas", "gasPrice"]))
                #expect(price["issues"]?["allowance"] == .null)
                let quote = try await bench.quote(endpoint, items)
                let own: Set<String> =
                    endpoint == .permit2 ? ["transaction", "permit2"] : ["transaction"]
                #expect(names(quote) == common.union(amounts).union(own))
                #expect(
                    names(quote["transaction"]) == ["to", "data", "gas", "gasPrice", "value"]
                )
                #expect(quote["mode"]?.stringValue == (isExactOut ? "exact-out" : "exact-in"))
                #expect((quote["fees"]?["gasFee"] == nil) == isExactOut)
                // The price holds.
                #expect(quote["buyAmount"] == price["buyAmount"])
                #expect(quote["maxSellAmount"] == price["maxSellAmount"])
            }
        }
    }

    @Test("amounts, route and fees of a trade by way of the wrapped coin")
    func route() async throws {
        let bench = try SwapBench()
        let items = bench.items(
            SwapBench.zrx,
            SwapBench.usdc,
            Self.token * 1_000,
            ("slippageBps", "50"),
            ("gasPrice", "3000000000"),
            ("excludedSources", "Nowhere,Uniswap_V9")
        )
        let quote = try await bench.quote(.allowanceHolder, items)
        // 997e18 * 750e18 / (1_000_000e18 + 997e18), then into 400e18 WETH and 1,000,000e6 USDC.
        let weth: UInt256 = 997 * Self.token * (750 * Self.token) / (1_000_997 * Self.token)
        let kept = weth * 997
        let usdc = kept * 1_000_000_000_000 / (400_000 * Self.token + kept)
        #expect(quote["buyAmount"]?.amount == usdc)
        #expect(quote["minBuyAmount"]?.amount == usdc * 995_000 / 1_000_000)
        let fills = try #require(quote["route"]?["fills"]?.arrayValue)
        #expect(fills.map { $0["source"] } == ["Stand_In_Pool", "Stand_In_Pool"])
        #expect(fills.map { $0["proportionBps"] } == ["10000", "10000"])
        #expect(fills[0]["to"]?.stringValue == SwapBench.weth.lowercaseHex)
        let symbols = quote["route"]?["tokens"]?.arrayValue?.map { $0["symbol"] }
        #expect(symbols == ["ZRX", "WETH", "USDC"])
        #expect(quote["transaction"]?["gasPrice"] == "3000000000")
        let gas = try #require(quote["transaction"]?["gas"]?.amount)
        #expect(quote["totalNetworkFee"]?.amount == gas * 3_000_000_000)
        let invalid = quote["issues"]?["invalidSourcesPassed"]
        #expect(invalid == ["Nowhere", "Uniswap_V9"])
        #expect(quote["blockNumber"] == "0")
    }

    @Test("no way and no pool that is deep enough are a 200 without liquidity")
    func noLiquidity() async throws {
        let bench = try SwapBench()
        let unknown = try Address("0x00000000000000000000000000000000000000aa")
        for items in [
            bench.items(SwapBench.zrx, unknown, Self.token),
            bench.items(SwapBench.zrx, SwapBench.weth, Self.token * 750, isExactOut: true),
            bench.items(SwapBench.zrx, SwapBench.weth, .max),
            bench.items(SwapBench.zrx, SwapBench.weth, 1),
            bench.items(
                SwapBench.zrx,
                SwapBench.weth,
                Self.token,
                ("excludedSources", "Stand_In_Pool")
            ),
        ] {
            for path in [Self.pricePath, Self.quotePath] {
                let answer = try await bench.ask(path, items)
                #expect(answer.status == 200)
                #expect(answer.json["liquidityAvailable"] == false)
                #expect(names(answer.json) == ["liquidityAvailable", "zid"])
            }
        }
    }

    @Test("a taker who is short is told by how much, in a 200")
    func shortBalance() async throws {
        let bench = try SwapBench(isApproved: false, funds: 10)
        let quote = try await bench.quote(
            .permit2,
            bench.items(SwapBench.zrx, SwapBench.weth, Self.token)
        )
        let balance = quote["issues"]?["balance"]
        #expect(balance?["token"]?.stringValue == SwapBench.zrx.lowercaseHex)
        #expect(balance?["actual"] == "10")
        #expect(balance?["expected"]?.amount == Self.token)
        #expect(quote["issues"]?["simulationIncomplete"] == true)
        let spender = quote["issues"]?["allowance"]?["spender"]?.stringValue
        #expect(spender == GenesisSwap.permit2.lowercaseHex)
        // 100 ether, and nothing to approve.
        let native = try await bench.quote(
            .allowanceHolder,
            bench.items(SwapBench.native, SwapBench.zrx, Self.token * 101)
        )
        #expect(native["issues"]?["balance"]?["actual"]?.amount == Self.token * 100)
        #expect(native["issues"]?["allowance"] == .null)
    }
}
