import DexSandbox
import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@testable import SandboxHost

/// A quote that alice sends as it is.
struct SwapCase: Sendable, CustomTestStringConvertible {
    let name: String
    let endpoint: SwapAPI.Endpoint
    let sell: Address
    let buy: Address
    /// Base units of the side that is fixed.
    let amount: UInt256
    var isExactOut = false
    var mode = "direct"

    var testDescription: String {
        "\(name), \(endpoint.rawValue)\(isExactOut ? ", exact out" : "")"
    }

    private static let token: UInt256 = 1_000_000_000_000_000_000
    private typealias Bench = SwapBench

    static let all: [SwapCase] = SwapAPI.Endpoint.allCases.flatMap { endpoint in
        [
            SwapCase("a token for another", endpoint, Bench.zrx, Bench.weth, token * 20),
            SwapCase("two pools", endpoint, Bench.zrx, Bench.dai, token * 30),
            SwapCase("few decimals", endpoint, Bench.weth, Bench.usdc, token),
            SwapCase("the coin for a token", endpoint, Bench.native, Bench.zrx, token),
            SwapCase("the coin, two decimals", endpoint, Bench.native, Bench.usdc, token * 2),
            SwapCase("a token for the coin", endpoint, Bench.zrx, Bench.native, token * 40),
            SwapCase("two pools", endpoint, Bench.zrx, Bench.dai, token * 10, isExactOut: true),
            SwapCase("one pool", endpoint, Bench.weth, Bench.zrx, token * 100, isExactOut: true),
            SwapCase("for the coin", endpoint, Bench.zrx, Bench.native, 7777, isExactOut: true),
            SwapCase("of the coin", endpoint, Bench.native, Bench.dai, token, isExactOut: true),
            SwapCase("wraps", endpoint, Bench.native, Bench.weth, token),
            SwapCase("unwraps", endpoint, Bench.weth, Bench.native, token),
            SwapCase("wraps", endpoint, Bench.native, Bench.weth, token, mode: "settler"),
            SwapCase("unwraps", endpoint, Bench.weth, Bench.native, token, mode: "settler"),
        ]
    }

    private init(
        _ name: String,
        _ endpoint: SwapAPI.Endpoint,
        _ sell: Address,
        _ buy: Address,
        _ amount: UInt256,
        isExactOut: Bool = false,
        mode: String = "direct"
    ) {
        self.name = name
        self.endpoint = endpoint
        self.sell = sell
        self.buy = buy
        self.amount = amount
        self.isExactOut = isExactOut
        self.mode = mode
    }
}

/// What is quoted happens to the last unit, on the sandbox's contracts.
@Suite("Quotes of the sandbox, sent")
struct SwapExecutionTests {
    @Test("what is quoted is sold and bought", arguments: SwapCase.all)
    func quoted(_ swap: SwapCase) async throws {
        let bench = try SwapBench()
        let quote = try await bench.quote(
            swap.endpoint,
            bench.items(
                swap.sell,
                swap.buy,
                swap.amount,
                isExactOut: swap.isExactOut,
                ("wrapUnwrapMode", swap.mode)
            )
        )
        #expect(quote["issues"]?["balance"] == .null)
        #expect(quote["issues"]?["allowance"] == .null)
        let (sold, bought) = (try await bench.balance(swap.sell), try await bench.balance(swap.buy))
        let wrapped = try await bench.balance(SwapBench.weth)
        let receipt = try await bench.send(quote)
        #expect(receipt.succeeded)
        let hint = quote["transaction"]?["gas"]?.stringValue.flatMap { UInt64($0) } ?? 0
        #expect(receipt.gasUsed <= hint, "gas \(receipt.gasUsed), hint \(hint)")

        let price = try #require(receipt.effectiveGasPrice).rawValue
        let gas = price * UInt256(receipt.gasUsed)
        let paidGas: UInt256 = swap.sell == SwapBench.native ? gas : .zero
        let lostGas: UInt256 = swap.buy == SwapBench.native ? gas : .zero
        let left = try await bench.balance(swap.sell) + paidGas
        let got = try await bench.balance(swap.buy) + lostGas - bought
        #expect(got == quote["buyAmount"]?.amount)
        guard swap.isExactOut else {
            #expect(sold - left == swap.amount)
            #expect(sold - left == quote["sellAmount"]?.amount)
            let minimum = try #require(quote["minBuyAmount"]?.amount)
            #expect(minimum <= got && minimum > .zero)
            return
        }
        #expect(got == swap.amount)
        let maximum = try #require(quote["maxSellAmount"]?.amount)
        let net = try #require(quote["estimatedNetSellAmount"]?.amount)
        #expect(net < maximum)
        if swap.sell == SwapBench.native {
            // What is left of the coin comes back wrapped.
            #expect(sold - left == maximum)
            #expect(try await bench.balance(SwapBench.weth) - wrapped == maximum - net)
        } else {
            #expect(sold - left == net)
        }
    }

    @Test("without an approval the quote says which one, and its transaction reverts")
    func unapproved() async throws {
        let bench = try SwapBench(isApproved: false)
        let items = bench.items(SwapBench.zrx, SwapBench.weth, 1_000_000_000_000_000_000)
        for endpoint in SwapAPI.Endpoint.allCases {
            let quote = try await bench.quote(endpoint, items)
            let issue = quote["issues"]?["allowance"]
            #expect(issue?["actual"] == "0")
            #expect(issue?["spender"]?.stringValue == endpoint.spender.lowercaseHex)
            #expect(quote["allowanceTarget"] == issue?["spender"])
            #expect(try await !bench.send(quote).succeeded)
        }
    }

    @Test("after another trade a quote keeps its minimum: it reverts below that")
    func moved() async throws {
        let bench = try SwapBench()
        let items = bench.items(
            SwapBench.zrx,
            SwapBench.weth,
            10_000_000_000_000_000_000,
            ("slippagePpm", "1")
        )
        let quote = try await bench.quote(.allowanceHolder, items)
        let first = try await bench.quote(.allowanceHolder, items)
        #expect(try await bench.send(first).succeeded)
        #expect(try await !bench.send(quote).succeeded)
        // A new quote knows the pool's new reserves.
        let again = try await bench.quote(.allowanceHolder, items)
        let (before, after) = (quote["buyAmount"]?.amount, again["buyAmount"]?.amount)
        #expect(try #require(after) < #require(before))
        #expect(try await bench.send(again).succeeded)
    }
}
